"""The values that LangChain reports: messages with their roles, completions, documents, and the names of models."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import Generation, LLMResult

_ROLES = {"human": "user", "ai": "assistant"}
_SETTINGS = {"ls_provider": "provider", "ls_temperature": "temperature", "ls_max_tokens": "maxTokens"}


def role_of(message: BaseMessage) -> str:
    """Return the role of a message: user, assistant, system or tool."""
    return _ROLES.get(message.type, message.type)


def content_of(message: BaseMessage) -> Any:
    """Return the text of a message, or its content with the tools that it calls."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    if not calls:
        return message.content
    return {"content": message.content, "toolCalls": [{"name": one["name"], "args": one["args"]} for one in calls]}


def plain(value: Any) -> Any:
    """Return a value of a chain or tool with its messages and documents as JSON."""
    if isinstance(value, BaseMessage):
        return {"role": role_of(value), "content": content_of(value)}
    if isinstance(value, Document):
        return {"content": value.page_content, "metadata": value.metadata}
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def tool_output(value: Any) -> Any:
    """Return the output of a tool: the content of its message, or the value."""
    return value.content if isinstance(value, BaseMessage) else plain(value)


def name_of(serialized: Mapping[str, Any] | None, reported: Mapping[str, Any]) -> str:
    """Return the name of the component that begins a run."""
    stated = serialized or {}
    path = stated.get("id") or ("",)
    return str(reported.get("name") or stated.get("name") or path[-1])


def model_of(metadata: Mapping[str, Any] | None, reported: Mapping[str, Any]) -> str:
    """Return the name of the model that is asked, empty if it is not stated."""
    settings = reported.get("invocation_params") or {}
    name = (metadata or {}).get("ls_model_name") or settings.get("model") or settings.get("model_name")
    return str(name or "")


def settings_of(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the provider and the settings of the model that is asked."""
    return {ours: (metadata or {}).get(theirs) for theirs, ours in _SETTINGS.items()}


def completion_of(result: LLMResult) -> Any:
    """Return the completion of a model; a list if there are several."""
    contents = [_generated(one) for several in result.generations for one in several]
    return contents[0] if len(contents) == 1 else contents


def about_completion(result: LLMResult) -> dict[str, Any]:
    """Return the model that has answered, and the number of tokens, as the model states them."""
    messages = _messages(result)
    stated = dict(result.llm_output or {}) | (messages[0].response_metadata if messages else {})
    usage = next((one.usage_metadata for one in messages if one.usage_metadata), None)
    return {
        "answeredBy": stated.get("model_name"),
        "inputTokens": None if usage is None else usage["input_tokens"],
        "outputTokens": None if usage is None else usage["output_tokens"],
    }


def _messages(result: LLMResult) -> Sequence[AIMessage]:
    found = [getattr(one, "message", None) for several in result.generations for one in several]
    return [one for one in found if isinstance(one, AIMessage)]


def _generated(generation: Generation | Any) -> Any:
    message = getattr(generation, "message", None)
    return content_of(message) if isinstance(message, BaseMessage) else generation.text
