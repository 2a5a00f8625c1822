"""The files in `deploy/` as they are: nginx in front of two webs, and what systemd says about the units."""

from __future__ import annotations

import contextlib
import json
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.sync.client import connect

from tests.cluster import Cluster, ClusterWorkspace, has_postgresql
from tests.live_workspace import set_field
from tests.product import ROOT, free_ports, wait_for

DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
needs_nginx = pytest.mark.skipif(NGINX is None or not has_postgresql(), reason="nginx or PostgreSQL is not installed")
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
MAIN = """
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log crit;
worker_processes 1;
daemon off;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/careervector.conf;
}}
"""


class Proxy:
    """nginx with the deployed file, in which only places and ports are others."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.origin = cluster.public_url
        self.folder = folder
        port = urlsplit(self.origin).port
        ports = [urlsplit(web).port for web in cluster.webs]
        text = (DEPLOY / "nginx" / "careervector.conf").read_text()
        for known, ours in (
            ("server 127.0.0.1:8000 ", f"server 127.0.0.1:{ports[0]} "),
            ("server 127.0.0.1:8001 ", f"server 127.0.0.1:{ports[1]} "),
            ("listen 80;", f"listen 127.0.0.1:{free_ports()};"),
            ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
            ("careervector.example", "localhost"),
            ("/etc/ssl/careervector/fullchain.pem", f"{folder}/cert.pem"),
            ("/etc/ssl/careervector/privkey.pem", f"{folder}/key.pem"),
            ("/var/log/nginx/careervector.log", f"{folder}/access.log"),
            ("/var/log/nginx/careervector-error.log", f"{folder}/error.log"),
        ):
            assert known in text, known
            text = text.replace(known, ours)
        (folder / "careervector.conf").write_text(text)
        user = "user root;" if folder.owner() == "root" else ""
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
            check=True, capture_output=True,
        )  # fmt: skip
        self.tls = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        self._argv = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]

    def check(self) -> None:
        done = subprocess.run([*self._argv, "-t"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "warn" not in done.stderr

    def start(self) -> Proxy:
        self.process = subprocess.Popen(self._argv)

        def answers() -> bool:
            assert self.process.poll() is None, (self.folder / "error.log").read_text()
            with contextlib.suppress(httpx.HTTPError), self.client() as client:
                return client.get("/healthz").status_code == 200
            return False

        wait_for(answers, what="nginx")
        return self

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)

    def client(self, workspace: ClusterWorkspace | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {workspace.link}"} if workspace else {}
        base = f"{self.origin}/api/v1/workspaces/{workspace.id}" if workspace else self.origin
        return httpx.Client(base_url=base, headers=headers, verify=self.tls, timeout=30, trust_env=False)


@pytest.fixture(scope="module")
def proxy(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    running = Proxy(cluster, tmp_path_factory.mktemp("nginx"))
    running.check()
    running.start()
    yield running
    running.stop()


@pytest.fixture
def workspace(cluster: Cluster) -> ClusterWorkspace:
    return cluster.new_workspace()


@needs_nginx
def test_people_work_through_the_proxy_over_http_and_sockets(proxy: Proxy, workspace: ClusterWorkspace) -> None:
    document = workspace.create_application("Engineer")
    url = f"{proxy.origin.replace('https', 'wss')}/ws/workspaces/{workspace.id}/"
    headers = {"Authorization": f"Bearer {workspace.link}"}
    with connect(url, additional_headers=headers, ssl=proxy.tls, proxy=None, compression=None) as page:
        assert json.loads(page.recv(timeout=20))["type"] == "hello"
        with proxy.client(workspace) as client:
            done = set_field(client, document, 1, "call them", key="through the proxy")
            assert done.status_code == 200, done.text
        kinds = []
        while "commit" not in kinds:
            kinds.append(json.loads(page.recv(timeout=20))["type"])


@needs_nginx
def test_a_page_opens_and_its_session_is_for_https_only(proxy: Proxy, workspace: ClusterWorkspace) -> None:
    with proxy.client() as client:
        page = client.get("/")
        assert (page.status_code, page.headers["strict-transport-security"]) == (200, "max-age=31536000")
        opened = client.post(
            "/api/v1/session", json={"link": workspace.link}, headers={"Origin": proxy.origin, "Referer": proxy.origin}
        )
    assert (opened.status_code, opened.json()["role"]) == (200, "owner"), opened.text
    cookie = next(value for value in opened.headers.get_list("set-cookie") if "sessionid" in value)
    assert cookie.startswith("__Host-sessionid=")
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Strict"))


@needs_nginx
def test_an_address_that_a_client_claims_for_itself_does_not_count(proxy: Proxy) -> None:
    """Or each guess at a link would come from somebody new."""
    with proxy.client() as client:
        answers = [
            client.post(
                "/api/v1/session",
                json={"link": "cvl_" + "A" * 43},
                headers={"X-Forwarded-For": f"203.0.113.{number}", "Forwarded": f"for=203.0.113.{number}"},
            ).status_code
            for number in range(45)
        ]
    assert set(answers) == {401, 429}
    assert answers[-1] == 429


@needs_nginx
@pytest.mark.parametrize(
    ("path", "size"), [("/operations", 256 * 1024 + 1), ("/operations", 700_000), ("/import", 32 * 1024 * 1024 + 1)]
)
def test_too_much_is_the_same_problem_whoever_says_so(
    proxy: Proxy, workspace: ClusterWorkspace, path: str, size: int
) -> None:
    with proxy.client(workspace) as client:
        answer = client.post(path, content=b"x" * size, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
    assert answer.json()["code"] == "too_large"


@needs_nginx
def test_what_is_not_for_everybody_is_not_there(proxy: Proxy) -> None:
    with proxy.client() as client:
        assert client.get("/readyz").status_code == 404
        assert client.post("/internal/corpus/erasures/claim").status_code == 404
        assert client.get("/metrics").status_code == 200  # from this machine
        assert client.get("/", headers={"X-Long": "x" * 9000}).status_code == 400
        unknown = client.get("/", headers={"Host": "elsewhere.example"})
    assert unknown.status_code == 400


@needs_nginx
def test_a_web_process_that_is_gone_is_not_noticed(cluster: Cluster, proxy: Proxy, workspace: ClusterWorkspace) -> None:
    cluster.kill("web1")
    try:
        with proxy.client(workspace) as client:
            assert [client.get("/documents").status_code for _ in range(10)] == [200] * 10
    finally:
        cluster.restart_web(1)


@needs_nginx
def test_logs_hold_no_query_and_nothing_about_who_came(proxy: Proxy, workspace: ClusterWorkspace) -> None:
    secret = "quietly-secret-words"
    with proxy.client(workspace) as client:
        client.get(
            "/documents", params={"kind": secret}, headers={"Referer": f"https://x/{secret}", "User-Agent": secret}
        )
        client.get("/documents", headers={"X-Long": secret * 600})
    deadline = time.monotonic() + 10
    log = proxy.folder / "access.log"
    while f"/workspaces/{workspace.id}/documents" not in log.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    text = log.read_text() + (proxy.folder / "error.log").read_text()
    assert not [word for word in (secret, workspace.link, "?", "cvl_") if word in text]


# --- systemd ---


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The units, with this checkout in the place of /opt/careervector; templates with an instance."""
    folder = tmp_path_factory.mktemp("units")
    found = []
    for path in sorted((DEPLOY / "systemd").iterdir()):
        copied = folder / path.name
        copied.write_text(path.read_text().replace("/opt/careervector", str(ROOT)))
        found.append(folder / path.name.replace("@.", "@1."))
        if found[-1] != copied:
            shutil.copy(copied, found[-1])
    return found


@needs_systemd
def test_systemd_finds_nothing_wrong_with_the_units(units: list[Path]) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *units], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    ours = [line for line in done.stderr.splitlines() if "careervector" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


@needs_systemd
def test_the_services_are_shut_in(units: list[Path]) -> None:
    """systemd's own measure of exposure, out of 100: what it calls OK begins at 40."""
    for unit in units:
        if unit.suffix == ".service":
            done = subprocess.run(
                ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=25", unit],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{unit.name}: {done.stdout[-300:]}{done.stderr}"
