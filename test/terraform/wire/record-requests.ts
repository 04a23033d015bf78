import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { terraform } from '../../acceptance/support/binary.ts'
import { recordRequests } from './tap.ts'

/** `tsx test/terraform/wire/record-requests.ts`: keeps what Terraform asks, of each call at most so many. */
const mostOfACall = 3

const requests = await recordRequests()
const distinct = new Map(
  requests.map(({ rpc, bytes }) => [`${rpc} ${Buffer.from(bytes).toString('hex')}`, rpc]),
)
const kept = [...distinct].filter(
  ([line, rpc], index, all) =>
    line.length < 8000 && all.slice(0, index).filter(([, other]) => other === rpc).length < mostOfACall,
)
const lines = kept.map(([line]) => line).sort()
await writeFile(
  join(import.meta.dirname, 'recorded-requests.json'),
  `${JSON.stringify({ terraform: terraform?.version, requests: lines }, null, 2)}\n`,
)
