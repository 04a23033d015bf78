import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { terraform } from '../acceptance/support/binary.ts'
import { compareWith } from './compare.ts'
import { benchDev } from './dev.ts'
import { benchEnvironments } from './environments.ts'
import { benchFleet } from './fleet.ts'
import { benchProviderStart } from './provider-start.ts'
import { benchReconciler } from './reconciler.ts'
import { benchStack } from './stack.ts'
import { benchTerraformPlan } from './terraform-plan.ts'

/**
 * `npm run bench [-- WORD [COUNT ...]]`: what plans and applies cost beside what the machine allows.
 * Nothing here fails for being slow; the figures are for people (docs/performance.md).
 *
 * - without a word: plans and applies of 1,000 and 10,000 flags or of as many as are given, a stack of 10,000, and
 *   Terraform with 100 flags if it is on the PATH
 * - `compare REV`: starts, plans and checks of 1,000 and 10,000 flags or of as many as are given, beside those of another
 *   commit, which is built in a folder of its own
 * - `dev`: what SDKs get from `vexil dev` with 1,000 flags or as many as are given
 * - `stack`: synthesis and plan of stacks of 10,000 flags or of as many as are given
 * - `environments`: a plan of 50 environments, or of as many as are given, of 200 flags each
 * - `fleet [ENVIRONMENTS FLAGS]`: what a reconciliation takes, and 1 to 8 replicas with 500 environments of 2,000 flags in
 *   virtual time, or with as many as are given
 * - `terraform`: the start of the provider, and applies and plans of 100 flags or of as many as are given, beside the
 *   official provider if VEXIL_BENCH_OFFICIAL_PROVIDER names the folder with its binary
 */
const given = process.argv.slice(2)
// Node 20 reads these authorities at each start, 50 ms of CPU for 140 of them; nothing that is measured needs them.
delete process.env.NODE_EXTRA_CA_CERTS
const word = /^\d+$/.test(given[0] ?? '1') ? undefined : given[0]
const counts = given
  .slice(word === 'compare' ? 2 : 0)
  .map(Number)
  .filter(Number.isInteger)
const countsOr = (...usual: readonly number[]) => (counts.length > 0 ? counts : usual)
const isAll = word === undefined && counts.length === 0

const folder = await mkdtemp(join(tmpdir(), 'vexil-bench-'))
try {
  if (word === 'compare') await compareWith(given[1] ?? 'HEAD~1', folder, countsOr(1000, 10_000))
  if (word === undefined) await benchReconciler(folder, countsOr(1000, 10_000))
  if (word === 'dev' || isAll) for (const count of countsOr(1000)) await benchDev(folder, count)
  if (word === 'stack' || isAll) for (const count of countsOr(10_000)) await benchStack(folder, count)
  if (word === 'environments' || isAll)
    for (const count of countsOr(50)) await benchEnvironments(folder, count, 200)
  if (word === 'fleet') await benchFleet(folder, counts[0] ?? 500, counts[1] ?? 2000)
  if (word === 'terraform' || isAll) {
    await benchProviderStart(folder)
    if (terraform) await benchTerraformPlan(folder, terraform, countsOr(100))
    else console.log('terraform plan: skipped, since terraform is not on the PATH')
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
