#!/bin/sh
# pg 8.23.1 requires TLS for addresses that turn it off or prefer it: `?ssl=false` and `?ssl=off` (only `?ssl=0` holds),
# `?sslmode=allow`, `?sslmode=prefer` and a misspelt mode. PGSSLMODE=allow means no TLS, PGSSLMODE=prefer requires it.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
const attempt = async query => {
  const client = await connect({ connectionString: `${address}${query}` })
  await client.end()
  return 'plain'
}
const show = async (query, name = query) =>
  console.log(name, await attempt(query).catch(({ message }) => (message.includes('not support SSL') ? 'refused' : message)))
for (const query of ['ssl=0', 'ssl=false', 'ssl=off', 'sslmode=disable', 'sslmode=allow', 'sslmode=prefer', 'sslmode=dissable'])
  await show(`?${query}`)
for (const mode of ['allow', 'prefer', 'dissable']) {
  process.env.PGSSLMODE = mode
  await show('', `PGSSLMODE=${mode}`)
}
PROGRAM
seen 'at a server without TLS' '?ssl=0 plain
?ssl=false refused
?ssl=off refused
?sslmode=disable plain
?sslmode=allow refused
?sslmode=prefer refused
?sslmode=dissable refused
PGSSLMODE=allow plain
PGSSLMODE=prefer refused
PGSSLMODE=dissable plain' "$(cat out)"
