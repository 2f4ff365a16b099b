#!/usr/bin/python
"""Runs `holdfast deploy --json` on the managed host, and says what it did in Ansible's words."""

from __future__ import annotations

DOCUMENTATION = r"""
module: deploy
short_description: Deploy a git checkout with health check and automatic rollback
version_added: "0.1.0"
description:
  - Brings the checkout to exactly the remote branch, rebuilds the caches, asks the health address, and rolls back by
    itself when the answer is not 200, by C(holdfast deploy --json) of the managed host.
  - A host whose deploy was rolled back or refused has failed, so that C(serial) and C(max_fail_percentage) of the play
    decide whether other hosts are deployed.
  - What is not given here is in the settings file of the host. A secret belongs there, and not here.
options:
  app_dir:
    description: The directory of the git checkout (C(APP_DIR)).
    type: path
  branch:
    description: The branch of the remote origin (C(BRANCH)).
    type: str
  log_file:
    description: The deployment log (C(LOG_FILE)).
    type: path
  health_url:
    description: The address that answers 200 only if the site works (C(HEALTH_URL)).
    type: str
  config:
    description: The settings file of the host. Without it C(./holdfast.yaml) of the folder I(chdir), if there is one.
    type: path
  chdir:
    description: The folder in which the program is started.
    type: path
  mode:
    description: Whether the checkout itself becomes the commit, or a folder of its own is shown.
    type: str
    choices: [in-place, releases]
  variant:
    description: The variant of the deploy.
    type: str
    choices: [basic, full, notify]
  preset:
    description: Which caches are rebuilt.
    type: str
    choices: [laravel, laravel-atomic, symfony, wordpress, drupal, php, none]
  message:
    description: Why, for the history and the notifications.
    type: str
  again:
    description: Whether a commit is deployed that was found bad before.
    type: bool
    default: false
  force:
    description: Whether the caches are rebuilt and the health is checked also where the branch has nothing new.
    type: bool
    default: false
  program:
    description: The installed program. Words of a list come before its options.
    type: list
    elements: str
    default: [holdfast]
extends_documentation_fragment: []
attributes:
  check_mode:
    support: full
    description: Runs C(holdfast deploy --dry-run), which changes nothing.
  diff_mode:
    support: full
    description: Shows the commit before and after.
notes:
  - The user that owns the checkout runs the module; use C(become_user) where the login is another one.
  - A lost connection does not stop a deploy. It ends on the host as it would have ended; the next run finds its end.
seealso:
  - name: Deploy many servers
    description: What the program does by itself, without Ansible.
    link: https://www.npmjs.com/package/holdfast
author:
  - The holdfast contributors
"""

EXAMPLES = r"""
- name: Deploy, a quarter of the hosts at once, and stop where one fails
  hosts: web
  serial: [1, "25%"]
  max_fail_percentage: 0
  tasks:
    - name: Deploy the site
      holdfast.holdfast.deploy:
        config: /etc/holdfast/app.yaml
      become: true
      become_user: deploy
"""

RETURN = r"""
state:
  description: How the deploy ended. In check mode C(planned).
  returned: always
  type: str
  sample: verified
previous_commit:
  description: The commit before.
  returned: when the checkout could be entered
  type: str
new_commit:
  description: The commit that was brought. In check mode the one that the branch has.
  returned: when it is known
  type: str
document:
  description: The whole document of C(holdfast deploy --json), or of C(--dry-run).
  returned: when the program has printed one
  type: dict
rc:
  description: The exit code of the program, as in its contract.
  returned: when the program was run
  type: int
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule

VALUES = ("app_dir", "branch", "log_file", "health_url", "mode", "variant", "preset", "message")


def options_of(params):
    """The options of `deploy`; a value after `=` can begin with a dash."""
    values = [f"--{name.replace('_', '-')}={params[name]}" for name in VALUES if params[name] is not None]
    return values + (["--again"] if params["again"] else []) + ([] if params["force"] else ["--if-changed"])


def command_of(params, more):
    config = [] if params["config"] is None else [f"--config={params['config']}"]
    return params["program"] + ["--json"] + config + ["deploy"] + options_of(params) + more


def document_in(stdout):
    """The last line that is a JSON object; None where the program has printed none."""
    for line in reversed(stdout.splitlines()):
        if line.startswith("{"):
            try:
                return json.loads(line)
            except ValueError:
                return None
    return None


def run(module, more):
    """The document and the exit code, or the end of the module where there is none."""
    command = command_of(module.params, more)
    code, stdout, stderr = module.run_command(command, cwd=module.params["chdir"], handle_exceptions=False)
    document = document_in(stdout)
    if document is None:
        said = stderr.strip() or f"{command[0]} has printed nothing"
        module.fail_json(msg=said, rc=code, state="aborted")
    return document, code


def diff_of(before, after):
    def line(commit):
        return "" if commit is None else f"{commit}\n"

    return {"before_header": "deployed commit", "after_header": "deployed commit", "before": line(before), "after": line(after)}


def check(module):
    """Check mode: whether a deploy would change something, and whether it would be refused."""
    document, code = run(module, ["--dry-run"])
    before, after = document.get("previousCommit"), document.get("newCommit")
    changed = module.params["force"] or after is None or before != after
    result = dict(changed=changed, state="planned", rc=code, document=document, previous_commit=before, new_commit=after)
    if document.get("refusals"):
        module.fail_json(msg=" ".join(document["refusals"]), **{**result, "changed": False})
    module.exit_json(diff=diff_of(before, after if after is not None else before), **result)


def deploy(module):
    document, code = run(module, [])
    state, before, after = document["state"], document.get("previousCommit"), document.get("newCommit")
    live = after if state in ("verified", "updated", "unchanged", "rollback-failed") else before
    # Whatever has changed files was a change, also where it was undone.
    changed = state not in ("unchanged", "aborted")
    result = dict(changed=changed, state=state, rc=code, document=document, previous_commit=before, new_commit=after)
    result["diff"] = diff_of(before, live)
    if code != 0:
        module.fail_json(msg=document.get("because") or f"holdfast ended with {code}: {state}", **result)
    module.exit_json(**result)


def main():
    text = dict(type="str")
    module = AnsibleModule(
        argument_spec=dict(
            app_dir=dict(type="path"),
            branch=text,
            log_file=dict(type="path"),
            health_url=text,
            config=dict(type="path"),
            chdir=dict(type="path"),
            mode=dict(type="str", choices=["in-place", "releases"]),
            variant=dict(type="str", choices=["basic", "full", "notify"]),
            preset=dict(type="str", choices=["laravel", "laravel-atomic", "symfony", "wordpress", "drupal", "php", "none"]),
            message=text,
            again=dict(type="bool", default=False),
            force=dict(type="bool", default=False),
            program=dict(type="list", elements="str", default=["holdfast"]),
        ),
        supports_check_mode=True,
    )
    try:
        check(module) if module.check_mode else deploy(module)
    except OSError as error:
        program = module.params["program"][0]
        module.fail_json(msg=f"{program} does not start ({os.strerror(error.errno)}): install holdfast, or name its path as program")


if __name__ == "__main__":
    main()
