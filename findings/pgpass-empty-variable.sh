#!/bin/sh
# pgpass 1.0.5, as pg 8.23.1 uses it: PGPASSWORD that is set but empty turns PGPASSFILE off. libpq 15.18 then reads the file. An
# entry with an empty password is skipped for the next one, which libpq does not do.
. "$(dirname "$0")/lib.sh"
npm_packages pg@8.23.1 pgpass@1.0.5
printf '127.0.0.1:*:empty:u:\n127.0.0.1:*:*:u:secret\n' > pass
chmod 600 pass
export PGPASSFILE="$folder/pass"
cat > program.mjs <<'PROGRAM'
import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
// It asks for a password in clear text, as AuthenticationCleartextPassword, and prints what it gets.
const server = createServer(socket => {
  let isStarted = false
  socket.on('error', () => {})
  socket.on('data', message => {
    if (isStarted) {
      console.log(JSON.stringify(message.subarray(5, -1).toString()))
      process.exit()
    }
    isStarted = true
    socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const client = new pg.Client({ host: '127.0.0.1', port: server.address().port, user: 'u', database: process.argv[2] })
client.on('error', () => {})
client.connect().catch(() => {})
PROGRAM
unset PGPASSWORD
seen 'not set' '"secret"' "$(timeout 20 node program.mjs d 2> errors.log)"
seen 'not set, an empty entry first' '"secret"' "$(timeout 20 node program.mjs empty 2> errors.log)"
export PGPASSWORD=
seen 'set but empty' '""' "$(timeout 20 node program.mjs d 2> errors.log)"
