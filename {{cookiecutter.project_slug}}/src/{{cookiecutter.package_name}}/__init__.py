"""{{ cookiecutter.description | replace("\\", "\\\\") | replace('"', '\\"') }}"""
