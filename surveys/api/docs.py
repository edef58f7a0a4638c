"""The API's documentation: a plain page made from the schema, without any script of others."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from surveys.api.problems import KINDS


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show every operation with its parameters, bodies and refusals."""
    operations = list(_operations(_schema()))
    return render(request, "surveys/api_docs.html", {"operations": operations, "kinds": KINDS.values()})


@cache
def _schema() -> Mapping[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def _operations(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield {
                "path": path,
                "method": method.upper(),
                "id": operation["operationId"],
                "summary": operation.get("summary", ""),
                "description": operation.get("description", ""),
                "parameters": operation.get("parameters", []),
                "body": _members(operation.get("requestBody", {})),
                "responses": [_response(*item) for item in operation["responses"].items()],
                "open": not any(operation.get("security", [{}])),
            }


def _members(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    return [{"name": name, **shape} for name, shape in schema.get("properties", {}).items()]


def _response(status: str, response: Mapping[str, Any]) -> dict[str, Any]:
    types, slugs = [], []
    for content_type, content in response.get("content", {}).items():
        types.append(content_type)
        slugs += content["schema"].get("properties", {}).get("type", {}).get("enum", [])
    return {
        "status": status,
        "types": types,
        "problems": slugs,
        "description": response.get("description", ""),
    }
