#!/bin/sh
# pg 8.23.1: an error without a code, which looks like a lost connection, if the server asks for a password and there is none, as
# with a password file of mode 0640. A wrong password has 28P01. With a password file, pg warns that version 9 will not read it.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import { chmodSync, writeFileSync } from 'node:fs'
const root = await connect()
await root.query(`create role ada login password 'secret'`)
const { rows } = await root.query('show hba_file')
writeFileSync(rows[0].hba_file, 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n')
await root.query('select pg_reload_conf()')
await wait(1000)
const warnings = []
process.on('warning', ({ message }) => warnings.push(message.split('.')[0]))
process.env.PGPASSFILE = `${process.cwd()}/pass`
const attempt = async (name, config) => {
  const server = { connectionString: undefined, host: '127.0.0.1', port, user: 'ada', database: 'postgres' }
  const answer = await connect({ ...server, ...config }).then(() => 'connected', error => error)
  await wait(10)
  console.log(name, answer.code ?? 'no code', answer.message ?? answer, warnings.splice(0).join())
}
await attempt('none', {})
await attempt('wrong', { password: 'x' })
writeFileSync('pass', `127.0.0.1:${port}:*:ada:secret\n`)
chmodSync('pass', 0o640)
await attempt('0640', {})
chmodSync('pass', 0o600)
await attempt('0600', {})
PROGRAM
seen 'the warning of 0640' 'has group or world access' "$(grep -o 'has group or world access' errors.log)"
seen 'code, error, deprecation' 'none no code SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string 
wrong 28P01 password authentication failed for user "ada" 
0640 no code SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string 
0600 no code connected pgpass support is deprecated and will be removed in pg@9' "$(cat out)"
