#!/bin/sh
# curl in its default settings and with --http2: curl_client.sh FLAG URL TOKEN. The stream is read as
# raw frames, whose text is readable.
set -eu
flag=$1 url=$2 token=$3
events=$(mktemp)
trap 'rm -f "$events"' EXIT
call() { # method, path, status, further arguments
  method=$1 path=$2 status=$3
  shift 3
  reply=$(curl "$flag" -sS -w '\n%{http_code}' -X "$method" "$url/api/v1/$path" "$@")
  test "$(printf '%s' "$reply" | tail -n 1)" = "$status" || { echo "$method $path: $reply" >&2; exit 1; }
  printf '%s' "$reply" | sed '$d'
}
json='Content-Type: application/json'
session=$(call POST auth 200 -H "$json" -d "{\"token\":\"$token\"}" | sed 's/.*"token":"\([^"]*\)".*/\1/')
bearer="Authorization: Bearer $session"
curl -sS -N --http1.1 --max-time 8 -H "$bearer" -H 'Connection: Upgrade' -H 'Upgrade: websocket' \
  -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==' \
  "$url/api/v1/data/stream" >"$events" 2>/dev/null &
reader=$!
sleep 0.3
call POST controls/lock 200 -H "$bearer" -d '' >/dev/null
call POST controls/go_to 204 -H "$bearer" -H "$json" \
  -d '{"joints":[0.05,0.4,-1.6,0,-1.2,0],"mode":"automatic"}' >/dev/null
# The reader ends by its time limit (status 28).
wait $reader || test $? = 28
grep -aq '"state":"running"' "$events"
grep -aq '"state":"ready"' "$events"
call DELETE controls/lock 200 -H "$bearer" >/dev/null
call DELETE auth 204 -H "$bearer" >/dev/null
curl --version | sed -n '1s/ (.*//p'
