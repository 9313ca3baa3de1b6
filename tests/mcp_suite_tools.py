"""The tools, resources and prompts that the conformance suite of MCP calls by name, added to the server of an agent."""

import asyncio
import base64
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, Elicit, ElicitationResult, MCPServer, Message, Resolve, Sample
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import (
    AudioContent,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

Request = CreateMessageRequest | ElicitRequest | ListRootsRequest


class User(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def add_suite(server: MCPServer) -> None:
    """Add everything that the suite calls."""
    _add_contents(server)
    _add_questions(server)
    _add_rounds(server)
    _add_resources(server)
    _add_prompts(server)


def _resource(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))


def _add_contents(server: MCPServer) -> None:
    @server.tool()
    def test_simple_text() -> str:
        """Return a text."""
        return "This is a simple text response for testing."

    @server.tool()
    def test_image_content() -> ImageContent:
        """Return a picture."""
        return ImageContent(data=PIXEL, mime_type="image/png")

    @server.tool()
    def test_audio_content() -> AudioContent:
        """Return a sound."""
        return AudioContent(data=SILENCE, mime_type="audio/wav")

    @server.tool()
    def test_embedded_resource() -> EmbeddedResource:
        """Return a resource."""
        return _resource("test://embedded-resource", "This is an embedded resource content.")

    @server.tool()
    def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        """Return three kinds of content."""
        return [
            TextContent(text="Multiple content types test:"),
            ImageContent(data=PIXEL, mime_type="image/png"),
            _resource("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
        ]

    @server.tool()
    def test_error_handling() -> str:
        """Fail."""
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool()
    async def test_tool_with_progress(context: Context) -> str:
        """Report progress."""
        for done in (0, 50, 100):
            await context.report_progress(done, 100)
            await asyncio.sleep(0.05)
        return "done"


def _add_questions(server: MCPServer) -> None:
    def sampled(prompt: str) -> Sample:
        return Sample([SamplingMessage(role="user", content=TextContent(text=prompt))], max_tokens=100)

    def user(message: str) -> Elicit[User]:
        return Elicit(message, User)

    def defaults() -> Elicit[Defaults]:
        return Elicit("Confirm these values.", Defaults)

    @server.tool()
    def test_sampling(prompt: str, answer: Annotated[CreateMessageResult, Resolve(sampled)]) -> str:
        """Ask the client's model."""
        content = answer.content
        return f"LLM response: {content.text if isinstance(content, TextContent) else content}"

    def unable() -> Sample:
        return sampled("Are you there?")

    @server.tool()
    def test_missing_capability(answer: Annotated[CreateMessageResult, Resolve(unable)]) -> str:
        """Ask a client's model that it may not have."""
        return answer.model_dump_json()

    @server.tool()
    def test_elicitation(message: str, answer: Annotated[ElicitationResult[User], Resolve(user)]) -> str:
        """Ask the user."""
        return f"User response: {answer.model_dump_json()}"

    @server.tool()
    def test_elicitation_sep1034_defaults(answer: Annotated[ElicitationResult[Defaults], Resolve(defaults)]) -> str:
        """Ask the user with defaults."""
        return f"Elicitation completed: {answer.model_dump_json()}"


def _question(words: str, name: str, kind: str = "string") -> ElicitRequest:
    schema: dict[str, Any] = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return ElicitRequest(params=ElicitRequestFormParams(message=words, requested_schema=schema))


def _sample(words: str, most: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(text=words))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=most))


def _accepted(context: Context, key: str, name: str) -> Any:
    answer = (context.input_responses or {}).get(key)
    return answer.content.get(name) if isinstance(answer, ElicitResult) and answer.content else None


def _add_rounds(server: MCPServer) -> None:
    """Add the tools that end a round with requests for input (2026-07-28)."""

    @server.tool()
    def test_input_required_result_elicitation(context: Context) -> str | InputRequiredResult:
        """Ask for a name."""
        name = _accepted(context, "user_name", "name")
        if isinstance(name, str):
            return f"Hello, {name}!"
        return InputRequiredResult(input_requests={"user_name": _question("What is your name?", "name")})

    @server.tool()
    def test_input_required_result_sampling(context: Context) -> str | InputRequiredResult:
        """Ask the model."""
        if answer := (context.input_responses or {}).get("capital_question"):
            return f"The model said: {answer.model_dump_json()}"
        return InputRequiredResult(input_requests={"capital_question": _sample("What is the capital of France?", 100)})

    @server.tool()
    def test_input_required_result_list_roots(context: Context) -> str | InputRequiredResult:
        """Ask for the roots."""
        if answer := (context.input_responses or {}).get("client_roots"):
            return f"The roots: {answer.model_dump_json()}"
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})

    def stateful(context: Context) -> str | InputRequiredResult:
        if context.request_state == "asked" and _accepted(context, "confirm", "ok") is not None:
            return "state-ok"
        return InputRequiredResult(
            input_requests={"confirm": _question("Please confirm", "ok", "boolean")}, request_state="asked"
        )

    for name in ("request_state", "tampered_state"):
        server.add_tool(stateful, name=f"test_input_required_result_{name}", description="Ask, with a state.")

    @server.tool()
    def test_input_required_result_multiple_inputs(context: Context) -> str | InputRequiredResult:
        """Ask for three things."""
        requests: dict[str, Request] = {
            "user_name": _question("What is your name?", "name"),
            "greeting": _sample("Generate a greeting", 50),
            "client_roots": ListRootsRequest(),
        }
        if requests.keys() <= (context.input_responses or {}).keys():
            return "All is here."
        return InputRequiredResult(input_requests=requests, request_state="asked")

    @server.tool()
    def test_input_required_result_multi_round(context: Context) -> str | InputRequiredResult:
        """Ask twice."""
        if context.request_state == "second" and _accepted(context, "step2", "color"):
            return "Both are here."
        if context.request_state == "first" and _accepted(context, "step1", "name"):
            second = _question("Step 2: What is your favorite color?", "color")
            return InputRequiredResult(input_requests={"step2": second}, request_state="second")
        first = _question("Step 1: What is your name?", "name")
        return InputRequiredResult(input_requests={"step1": first}, request_state="first")

    @server.tool()
    def test_input_required_result_capabilities(context: Context) -> str | InputRequiredResult:
        """Ask for what the client can do."""
        capabilities = context.client_capabilities
        requests: dict[str, Request] = {}
        if capabilities is not None and capabilities.elicitation is not None:
            requests["user_name"] = _question("What is your name?", "name")
        if capabilities is not None and capabilities.sampling is not None:
            requests["greeting"] = _sample("Generate a greeting", 50)
        return InputRequiredResult(input_requests=requests) if requests else "Nothing to ask."


def _add_resources(server: MCPServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def text() -> str:
        """Return a text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def binary() -> bytes:
        """Return a picture."""
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        """Return the id."""
        return f'{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}'


def _add_prompts(server: MCPServer) -> None:
    @server.prompt()
    def test_simple_prompt() -> str:
        """Return a text."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Return the arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:
        """Return a resource."""
        resource = _resource(resourceUri, "Embedded resource content for testing.")
        return [Message(resource, role="user"), Message("Please process the embedded resource above.", role="user")]

    @server.prompt()
    def test_prompt_with_image() -> list[Message]:
        """Return a picture."""
        picture = ImageContent(data=PIXEL, mime_type="image/png")
        return [Message(picture, role="user"), Message("Please analyze the image above.", role="user")]

    @server.prompt()
    def test_input_required_result_prompt(context: Context) -> str | InputRequiredResult:
        """Ask for a context."""
        stated = _accepted(context, "user_context", "context")
        if stated:
            return f"The context is {stated}."
        question = _question("What context should the prompt use?", "context")
        return InputRequiredResult(input_requests={"user_context": question})

    @server.completion()  # type: ignore[untyped-decorator]
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        return Completion(values=["paris", "park", "party"], total=3, has_more=False)
