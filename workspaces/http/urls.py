"""The addresses of the documents' API, below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from .diagnostics import DiagnosticsView
from .documents import ContextView, DocumentsView, DocumentView
from .exchange import (
    ApplicationsCsvView,
    CalendarView,
    DocumentMarkdownView,
    ImportsView,
    ImportUndoView,
    ImportView,
    LettersView,
    NotesView,
    OneImportView,
)
from .history import DocumentEventsView, EventsView
from .jobs import JobSearchView
from .links import LinksView, LinkView
from .openapi import OpenApiView
from .operations import OperationsView
from .receipts import ReceiptChangesView, ReceiptsView, ReceiptUndoView, ReceiptView
from .resume import ResumeView
from .session import SessionView
from .settings import SettingsView
from .workspaces import WorkspacesView

_WS = "workspaces/<str:workspace>"

urlpatterns = [
    path("openapi.json", OpenApiView.as_view()),
    path("session", SessionView.as_view()),
    path("workspaces", WorkspacesView.as_view()),
    path(f"{_WS}/links", LinksView.as_view()),
    path(f"{_WS}/links/<str:link>", LinkView.as_view()),
    path(f"{_WS}/operations", OperationsView.as_view()),
    path(f"{_WS}/context", ContextView.as_view()),
    path(f"{_WS}/documents", DocumentsView.as_view()),
    path(f"{_WS}/documents/<str:document>", DocumentView.as_view()),
    path(f"{_WS}/documents/<str:document>/events", DocumentEventsView.as_view()),
    path(f"{_WS}/documents/<str:document>/markdown", DocumentMarkdownView.as_view()),
    path(f"{_WS}/export/applications.csv", ApplicationsCsvView.as_view()),
    path(f"{_WS}/export/letters.md", LettersView.as_view()),
    path(f"{_WS}/export/notes.md", NotesView.as_view()),
    path(f"{_WS}/export/resume.json", ResumeView.as_view()),
    path(f"{_WS}/calendar.ics", CalendarView.as_view()),
    path(f"{_WS}/import", ImportView.as_view()),
    path(f"{_WS}/imports", ImportsView.as_view()),
    path(f"{_WS}/imports/<str:imported>", OneImportView.as_view()),
    path(f"{_WS}/imports/<str:imported>/undo", ImportUndoView.as_view()),
    path(f"{_WS}/events", EventsView.as_view()),
    path(f"{_WS}/receipts", ReceiptsView.as_view()),
    path(f"{_WS}/receipts/<str:receipt>", ReceiptView.as_view()),
    path(f"{_WS}/receipts/<str:receipt>/changes", ReceiptChangesView.as_view()),
    path(f"{_WS}/receipts/<str:receipt>/undo", ReceiptUndoView.as_view()),
    path(f"{_WS}/settings", SettingsView.as_view()),
    path(f"{_WS}/diagnostics", DiagnosticsView.as_view()),
    path(f"{_WS}/jobs/search", JobSearchView.as_view()),
]
