"""Strict scalar fields for request bodies: what DRF would coerce ("5", 1, "true") is refused."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class StringField(serializers.Field[str, Any, str, Any]):
    """Any string, as it is. `form` says in JSON Schema's words what the facade asks of it."""

    default_error_messages = {"type": "This must be text."}
    json_schema: dict[str, Any] = {"type": "string"}

    def __init__(self, *, form: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(**options)
        if form is not None:
            self.json_schema = {"type": "string", **form}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("type")
        return data

    def to_representation(self, value: str) -> str:
        return value


class BooleanField(serializers.Field[bool, Any, bool, Any]):
    default_error_messages = {"type": "This must be true or false."}
    json_schema = {"type": "boolean"}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("type")
        return data

    def to_representation(self, value: bool) -> bool:
        return value


class IntegerField(serializers.Field[int, Any, int, Any]):
    """A whole number within its limits; 5.0 and "5" are none."""

    default_error_messages = {"type": "This must be a whole number.", "range": "This must be from {least} to {most}."}

    def __init__(self, *, least: int, most: int, **options: Any) -> None:
        self.least = least
        self.most = most
        super().__init__(**options)

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("type")
        if not self.least <= data <= self.most:
            self.fail("range", least=self.least, most=self.most)
        return data

    def to_representation(self, value: int) -> int:
        return value


class ClocksField(serializers.Field[dict[str, int], Any, dict[str, int], Any]):
    """`expected_clocks`: document id → clock. Which documents it must name is the commit's to say."""

    default_error_messages = {"type": "This must be an object of document ids and their clocks (whole numbers)."}
    json_schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}

    def to_internal_value(self, data: Any) -> dict[str, int]:
        if not isinstance(data, dict):
            self.fail("type")
        return data

    def to_representation(self, value: dict[str, int]) -> dict[str, int]:
        return value
