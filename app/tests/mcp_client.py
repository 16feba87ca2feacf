"""A client that isn't ours, the official Python SDK, lists the tools of `metascope mcp` and calls each by its example.

python mcp_client.py METASCOPE INDEX EXAMPLES, where EXAMPLES is a JSON file: {tool: arguments}. Prints one JSON value.
"""

import asyncio
import json
import sys
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def field(value, *names):
    """A field of a model, whose name differs between versions of the SDK."""
    for name in names:
        if hasattr(value, name):
            return getattr(value, name)
    return None


async def main(program, index, examples):
    server = StdioServerParameters(command=program, args=["--index", index, "--lang", "en", "mcp"])
    report = {"tools": [], "called": {}, "progress": 0}
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        started = await session.initialize()
        report["server"] = field(field(started, "serverInfo", "server_info"), "name")
        listed = await session.list_tools()
        report["tools"] = [tool.name for tool in listed.tools]
        report["described"] = all(tool.description and field(tool, "inputSchema", "input_schema") for tool in listed.tools)

        async def progress(*_):
            report["progress"] += 1

        for tool in report["tools"]:
            begun = time.monotonic()
            result = await session.call_tool(tool, examples[tool], progress_callback=progress)
            report["called"][tool] = {
                "error": bool(field(result, "isError", "is_error")),
                "text": result.content[0].text[:200],
                "characters": len(result.content[0].text),
                "ms": round((time.monotonic() - begun) * 1000),
            }
        wrong = await session.call_tool("callers", {"name": "CommonModule.НетТакого.Метода"})
        report["unknown_name"] = {"error": bool(field(wrong, "isError", "is_error")), "text": wrong.content[0].text[:300]}
        wrong = await session.call_tool("no_such_tool", {})
        report["unknown_tool"] = {"error": bool(field(wrong, "isError", "is_error")), "text": wrong.content[0].text[:300]}
    return report


if __name__ == "__main__":
    with open(sys.argv[3], encoding="utf-8") as file:
        examples = json.load(file)
    print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], examples)), ensure_ascii=False))
