"""What a tool is: a name, a version, a closed argument schema, hints, and a function.

One small file a tool; `assistant.tools.TOOLS` lists the four. A tool neither checks capabilities nor bounds answers:
`boundary` does both around it. Source: contract section 8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from jsonschema import Draft202012Validator

from workspaces import facade
from workspaces.contracts import CommitResult, Enclosing
from workspaces.errors import Flaw, InvalidRequest

from .quick_check import compiled

Source = Literal["workspace", "jobcache", "operations"]
Schema = dict[str, Any]
Arguments = Mapping[str, Any]
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a call stands, from the capability and the turn alone. `request` is the derived request id."""

    workspace: str
    connector: str
    provider: str
    thread: str
    turn: str
    link: str
    surface: str | None
    document: str | None
    origin_event: str | None
    request: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What the audit row and the thread event say of an answer: ids and small numbers, no content."""

    documents: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    truncated: bool = False
    receipt: str | None = None
    event: str | None = None


class Tool:
    """One of the four. Subclasses give the class variables, `properties` and one of the run methods below."""

    name: ClassVar[str]
    version: ClassVar[str]
    source: ClassVar[Source]
    description: ClassVar[str]
    title: ClassVar[str]
    read_only: ClassVar[bool]
    idempotent: ClassVar[bool]
    open_world: ClassVar[bool]
    # Lists that lose entries from their end, in this order, should an answer still be over the limit.
    cuttable: ClassVar[tuple[str, ...]] = ()

    def properties(self) -> Mapping[str, Schema]:
        """The arguments by name, every one of them required; what may be left out is nullable."""
        raise NotImplementedError

    def definitions(self) -> Mapping[str, Schema]:
        """`$defs` that the properties refer to."""
        return {}

    def summary(self, arguments: Arguments) -> str:
        """One line for the thread: what the call is about."""
        return self.title

    def record(self, answer: Mapping[str, Any]) -> Record:
        """What of an `ok` answer goes into audit row and thread event."""
        raise NotImplementedError

    def after_cut(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Puts an answer in order again that has lost entries of a `cuttable` list."""
        return answer

    @cached_property
    def parameters(self) -> Schema:
        """The emitted schema of the arguments (draft 2020-12, which is also what MCP assumes without `$schema`)."""
        properties = dict(self.properties())
        schema: Schema = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        definitions = dict(self.definitions())
        return {**schema, "$defs": definitions} if definitions else schema

    @cached_property
    def _lenient(self) -> Schema:
        # The same schema, except that null may be said by leaving out, and that single operations are left to the
        # commit service: it checks them with the serializers that this schema was emitted from, and names the flaw.
        lenient = dict(self.parameters)
        definitions = self.definitions()
        lenient["required"] = [
            name
            for name, schema in self.parameters["properties"].items()
            if not facade.is_nullable(schema, definitions)
        ]
        lenient["properties"] = {**self.parameters["properties"], **self.checked_later()}
        return lenient

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return Draft202012Validator(self._lenient)

    def checked_later(self) -> Mapping[str, Schema]:
        """Looser schemas of properties whose inside another layer checks with better messages."""
        return {}

    @cached_property
    def _surely_fits(self) -> Callable[[Any], bool]:
        return compiled(self._lenient)

    def validate(self, arguments: Arguments) -> dict[str, Any]:
        """The arguments with absent nullable ones as null. Raises InvalidRequest with a flaw a problem."""
        if not self._surely_fits(arguments):
            self._require_fitting(arguments)
        return {name: arguments.get(name) for name in self.parameters["properties"]}

    def _require_fitting(self, arguments: Arguments) -> None:
        flaws = []
        for error in self._validator.iter_errors(arguments):
            path = "/".join(str(part) for part in error.absolute_path)
            # The library's messages repeat the instance; ours must not echo a value back at length.
            flaws.append(
                Flaw(path[:200], str(error.validator), _explain(error.validator, error.validator_value, error))
            )
            if len(flaws) == 10:
                break
        if flaws:
            raise InvalidRequest(f"The arguments of {self.name} do not fit its schema.", flaws=flaws)

    def definition(self) -> dict[str, Any]:
        """The tool as an assignment carries it: name, version, description, schema and hints."""
        return {
            "name": self.name,
            "version": self.version,
            "description": self.description,
            "parameters": self.parameters,
            "annotations": self.hints(),
        }

    def hints(self) -> dict[str, Any]:
        """The MCP annotations. Nothing here destroys: every write leaves a receipt that takes it back."""
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": False,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }


class ReadingTool(Tool):
    """Reads the workspace of the scope."""

    read_only = True
    idempotent = True
    open_world = False

    def read(self, scope: Scope, arguments: Arguments, *, max_bytes: int) -> Body:
        """The body, at most about `max_bytes` of JSON. Raises typed errors."""
        raise NotImplementedError


class PublicTool(Tool):
    """Reads public data. Its function is never given a scope."""

    read_only = True
    idempotent = True
    open_world = True

    def read(self, arguments: Arguments, *, max_bytes: int) -> Body:
        """The body, at most about `max_bytes` of JSON. Raises typed errors."""
        raise NotImplementedError

    def outgoing(self, arguments: Arguments) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(free texts, opaque values) that leave for outside; the boundary refuses private ones beforehand."""
        raise NotImplementedError


class WritingTool(Tool):
    """Commits through the facade."""

    read_only = False
    # The same call, delivered again, is answered again and not done again; another call is another change.
    idempotent = False
    open_world = False

    def write(self, scope: Scope, arguments: Arguments, *, enclosing: Enclosing) -> CommitResult:
        """Raises typed errors; `enclosing` shares the transaction."""
        raise NotImplementedError

    def documents_named(self, arguments: Arguments) -> tuple[str, ...]:
        """Existing documents that the arguments name: what a stale writer has to read again."""
        raise NotImplementedError


def clock_list(entries: list[Mapping[str, Any]]) -> dict[str, int]:
    """`[{document, clock}]` as a mapping. Raises InvalidRequest when a document is named twice."""
    clocks: dict[str, int] = {}
    for index, entry in enumerate(entries):
        document = entry["document"]
        if document in clocks:
            raise InvalidRequest(
                "expected_clocks names a document twice.",
                flaws=[Flaw(f"expected_clocks/{index}/document", "duplicate", "This document was named before.")],
            )
        clocks[document] = entry["clock"]
    return clocks


CLOCKS: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "document": {"type": "string", "minLength": 1, "maxLength": 80},
            "clock": {"type": "integer", "minimum": 0},
        },
        "required": ["document", "clock"],
        "additionalProperties": False,
    },
    "minItems": 1,
    "maxItems": 20,
}


def _explain(validator: str, expected: Any, error: Any) -> str:
    match validator:
        case "type":
            wanted = [expected] if isinstance(expected, str) else list(expected)
            return f"This must be of type {' or '.join(wanted)}."
        case "required":
            missing = [name for name in expected if name not in error.instance]
            return f"Missing: {', '.join(missing)}."
        case "additionalProperties":
            known = ", ".join(error.schema.get("properties", {}))
            return f"There is a property that does not exist here; there are {known}."
        case "enum":
            shown = [str(value) for value in expected if value is not None]
            return f"This must be one of {', '.join(shown[:30])}{'…' if len(shown) > 30 else ''}."
        case "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" | "pattern":
            return f"{validator} is {expected}."
        case _:
            return "This does not fit the schema."
