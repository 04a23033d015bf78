#!/bin/sh
# pg 8.23.1: an empty list as a parameter for jsonb is stored as an empty object, without an error; other lists are refused. A text
# such as "5" or "null" becomes a number or a null of JSON, since pg sends texts as they are.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
const client = await connect()
await client.query('create table t (v jsonb)')
const store = async value => {
  await client.query('insert into t values ($1)', [value])
  const { rows } = await client.query('delete from t returning v::text as text, jsonb_typeof(v) as type')
  return `${rows[0].text} (${rows[0].type})`
}
const values = [[], ['a'], [{}], '5', 'null', null]
for (const value of values) console.log(JSON.stringify(value), await store(value).catch(({ code }) => code))
PROGRAM
seen 'given, stored' '[] {} (object)
["a"] 22P02
[{}] 22P02
"5" 5 (number)
"null" null (null)
null null (null)' "$(cat out)"
