"""The serializer fields and the strict base that every operation is declared with.

Each field carries the JSON Schema it stands for (`json_schema`), so that the tools' schema, OpenAPI and TypeScript come
from the same declaration. DRF coerces and drops silently; these do neither.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from workspaces.documents.schema import KINDS
from workspaces.documents.values import MAX_TEXT, ValueFlaw, clean_string

ULID = "[0-9A-HJKMNP-TV-Z]{26}"
_DOCUMENT = re.compile(rf"^(?:profile|plan|(?:application|note|letter):{ULID}|new:[a-z0-9-]{{1,32}})$")
_ITEM = re.compile(rf"^itm_{ULID}$")
_NAME = re.compile(r"^[a-z_]{1,40}$")


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses unknown properties, and values of another type than declared."""

    default_error_messages = {"unknown_field": "There is no such property here."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError(
                    {
                        str(name)[:60]: [serializers.ErrorDetail("There is no such property here.", "unknown_field")]
                        for name in unknown[:10]
                    }
                )
        return super().to_internal_value(data)


class PatternField(serializers.Field[str, Any, str, Any]):
    """Text that matches a pattern as a whole."""

    pattern: ClassVar[re.Pattern[str]]
    explanation: ClassVar[str]
    default_error_messages = {"pattern": "{explanation}"}

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def to_internal_value(self, data: Any) -> str:
        # fullmatch: a `$` would let a trailing newline through.
        if not isinstance(data, str) or len(data) > 80 or not self.pattern.fullmatch(data):
            self.fail("pattern", explanation=self.explanation)
        return data

    def to_representation(self, value: str) -> str:
        return value


class DocumentField(PatternField):
    """A document id, or `new:NAME` of the same batch."""

    pattern = _DOCUMENT
    explanation = "This must be a document id such as profile or application:01J…, or new:NAME."


class ItemField(PatternField):
    pattern = _ITEM
    explanation = "This must be the id of an item (itm_…)."


class NameField(PatternField):
    """The name of a field, section or text; whether the document has it is checked against its schema."""

    pattern = _NAME
    explanation = "This must be the name of a field, section or text."


class TextField(serializers.Field[str, Any, str, Any]):
    """Checked text: NFC, no control characters but newline and tab."""

    default_error_messages = {"flaw": "{message}"}

    def __init__(self, *, maximum: int = MAX_TEXT, newlines: bool = True, **options: Any) -> None:
        self.maximum = maximum
        self.newlines = newlines
        super().__init__(**options)

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def to_internal_value(self, data: Any) -> str:
        try:
            return clean_string(data, maximum=self.maximum, newlines=self.newlines)
        except ValueFlaw as flaw:
            raise serializers.ValidationError(flaw.message, code=flaw.code) from None

    def to_representation(self, value: str) -> str:
        return value


class EnumField(serializers.Field[str, Any, str, Any]):
    default_error_messages = {"choice": "This must be one of {choices}."}

    def __init__(self, choices: tuple[str, ...], **options: Any) -> None:
        self.choices = choices
        super().__init__(**options)

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.choices)}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("choice", choices=", ".join(self.choices))
        return data

    def to_representation(self, value: str) -> str:
        return value


class KindField(EnumField):
    """The kinds that can be created: all but the singletons."""

    def __init__(self, **options: Any) -> None:
        super().__init__(tuple(kind.name for kind in KINDS.values() if not kind.singleton), **options)


class ValueField(serializers.Field[Any, Any, Any, Any]):
    """Any value a field can have; checked against the document's schema in the next step. Null clears."""

    json_schema: ClassVar[dict[str, Any]] = {"$ref": "#/$defs/value"}

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class PositionField(serializers.Field[Any, Any, Any, Any]):
    """Where among its siblings: "start", "end" or {"after": id}; null means the default (the end)."""

    default_error_messages = {"position": 'This must be "start", "end" or {{"after": the id of a neighbour}}.'}
    json_schema: ClassVar[dict[str, Any]] = {"$ref": "#/$defs/position"}

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_null=True, default=None, **options)

    def to_internal_value(self, data: Any) -> Any:
        if data in ("start", "end"):
            return data
        if isinstance(data, Mapping) and set(data) == {"after"} and isinstance(data["after"], str):
            if len(data["after"]) <= 80:
                return {"after": data["after"]}
        self.fail("position")

    def to_representation(self, value: Any) -> Any:
        return value


class FieldValueSerializer(StrictSerializer):
    """One `{"field", "value"}` pair."""

    field = NameField()
    value = ValueField()


class TextContentSerializer(StrictSerializer):
    """One `{"text", "content"}` pair."""

    text = NameField()
    content = TextField()


class PairsField(serializers.ListField):
    """A list of `{"field", "value"}`, each field once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=FieldValueSerializer(), max_length=50, **options)


class TextsField(serializers.ListField):
    """A list of `{"text", "content"}`, each text once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=TextContentSerializer(), max_length=5, **options)
