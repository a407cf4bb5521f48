"""Say what to do next."""

import json
from pathlib import Path

ANSWERS = json.loads(r"""{{ cookiecutter | tojson }}""")


def tidy(project):
    """Remove the folders that are empty because nothing that was chosen needs them."""
    workflows = project / ".github" / "workflows"
    for folder in (workflows, workflows.parent, *project.glob("src/*/engine/cpu")):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


if __name__ == "__main__":
    tidy(Path.cwd())
    print(f"""
Your project is ready. Next:

    cd {ANSWERS["project_slug"]}
    make train      # sets up .venv, trains the network, says where the curves are
    make test       # sets up .venv, proves the parts and the whole
    git init        # so that a run notes the commit it was made from
""")
