#!/bin/sh
# pg 8.23.1 ignores PGCONNECT_TIMEOUT and `connect_timeout` of an address, which libpq knows: it waits for a server that does not
# answer. Only `connectionTimeoutMillis` in the config holds.
. "$(dirname "$0")/lib.sh"
npm_packages pg@8.23.1
export PGCONNECT_TIMEOUT=1
node_program <<'PROGRAM'
import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
const silent = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
await once(silent, 'listening')
const host = `postgres://u:p@127.0.0.1:${silent.address().port}/d`
for (const config of [{}, { connectionString: `${host}?connect_timeout=1` }, { connectionTimeoutMillis: 1000 }]) {
  const client = new pg.Client({ connectionString: host, ...config })
  client.on('error', () => {})
  const connected = client.connect().then(() => 'connected', ({ message }) => message)
  console.log(await Promise.race([connected, new Promise(soon => setTimeout(soon, 4000, 'waits'))]))
}
PROGRAM
seen 'variable, address, config' 'waits
waits
timeout expired' "$(cat out)"
