#!/usr/bin/env bash
# The step of action.yml: installs holdfast of the action's own version, and rehearses. holdfast itself writes the
# summary and the annotations, by the variables that the runner sets (docs/rehearse-your-own.md).
set -euo pipefail
action=$(cd "$(dirname "$0")/.." && pwd)
# HOLDFAST names an installed program.
if [ -z "${HOLDFAST:-}" ]; then
  (cd "$action" && npm ci --silent --no-audit --no-fund >&2)
  HOLDFAST=$action/bin/holdfast.js
fi
read -r -a files <<<"$FILES"
read -r -a more <<<"${ARGUMENTS:-}"
[ -z "${AGAINST:-}" ] || more+=(--against "$AGAINST")
[ -z "${CONFIG:-}" ] || more+=(--config "$CONFIG")
exec "$HOLDFAST" rehearse --file "${files[@]}" --fail-on "${FAIL_ON:-any}" "${more[@]}"
