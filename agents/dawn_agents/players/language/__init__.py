"""Language models as players: any server with the interface of OpenAI's chat completions."""
