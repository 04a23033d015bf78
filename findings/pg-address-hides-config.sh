#!/bin/sh
# pg 8.23.1: beside `connectionString`, the config's user, password, host, port and database are lost, even if the address names
# none. So a function as `password`, which pg recommends in place of a password file, is not called. PGPASSWORD counts.
. "$(dirname "$0")/lib.sh"
npm_packages pg@8.23.1
node_program <<'PROGRAM'
import pg from 'pg'
delete process.env.PGPASSWORD
const config = { user: 'ada', password: async () => 'secret', port: 6000, database: 'd', application_name: 'a' }
const show = config => {
  const { user, password, port, database, connectionParameters } = new pg.Client(config)
  console.log(user, typeof password === 'function' ? 'a function' : password, port, database, connectionParameters.application_name)
}
show({ host: 'h', ...config })
show({ connectionString: 'postgres://eve@h/e', ...config })
process.env.PGPASSWORD = 'variable'
show({ connectionString: 'postgres://eve@h/e', ...config })
PROGRAM
seen 'without an address, with one, with PGPASSWORD' 'ada a function 6000 d a
eve null 5432 e a
eve variable 5432 e a' "$(cat out)"
