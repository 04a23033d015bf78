import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { terraform } from '../acceptance/support/binary.ts'
import { benchBase } from './base.ts'
import { benchConstructs } from './cdktf-constructs.ts'
import { compareWith } from './compare.ts'
import { benchProviderStart } from './provider-start.ts'
import { benchReconciler } from './reconciler.ts'
import { benchStack } from './stack.ts'
import { benchTerraformPlan } from './terraform-plan.ts'

/**
 * `npm run bench [-- [base] [cdktf] [terraform] [all] [COUNT ...]]`: what plans and applies cost beside what the machine allows.
 * Nothing here fails for being slow; the figures are for people.
 *
 * - without a word: our own plans and applies, those with a base, the constructs, then Terraform's where it is on the PATH
 * - with counts only: our own, of so many flags
 * - `compare REV`: starts, plans and checks of 1,000 and 10,000 flags, or of as many as are given, beside those of
 *   another commit, which is built in a folder of its own
 * - `base`: plans of 10,000 flags of which an apply is on record, or of as many, beside the same without that record
 * - `cdktf`: the size of the constructs, how long they take to load, and plans of stacks of 10,000 flags or of as many
 *   as are given
 * - `terraform`: the provider's start, and Terraform's applies and plans of 100 and 1,000 flags or of as many as are
 *   given, beside the official provider of the public service where VEXIL_BENCH_OFFICIAL_PROVIDER names the folder with
 *   its binary; `terraform all`: of 5,000 flags of one `for_each` as well, which takes Terraform itself many minutes
 */
const given = process.argv.slice(2)
// Node 20 reads these authorities at each start, 50 ms of CPU for 140 of them; nothing that is measured asks for them.
delete process.env.NODE_EXTRA_CA_CERTS
const isCompared = given[0] === 'compare'
const isTerraform = given.includes('terraform')
const isConstructs = given.includes('cdktf')
const isBase = given.includes('base')
const counts = given
  .slice(isCompared ? 2 : 0)
  .map(Number)
  .filter(Number.isInteger)
const isSome = isCompared || isTerraform || isConstructs || isBase
const isWhole = counts.length === 0 && !isSome
const countsOr = (usual: readonly number[]) => (counts.length > 0 ? counts : usual)

const folder = await mkdtemp(join(tmpdir(), 'vexil-bench-'))
try {
  if (isCompared) await compareWith(given[1] ?? 'HEAD~1', folder, countsOr([1000, 10_000]))
  if (!isSome) await benchReconciler(folder, countsOr([1000, 10_000, 100_000]))
  if (isBase || isWhole) for (const count of countsOr([10_000])) await benchBase(folder, count)
  if (isConstructs || isWhole) {
    await benchConstructs()
    for (const count of countsOr([10_000])) await benchStack(folder, count)
  }
  if (isTerraform || isWhole) {
    await benchProviderStart(folder)
    const usual = given.includes('all') ? [100, 1000, 5000] : [100, 1000]
    if (terraform) await benchTerraformPlan(folder, terraform, countsOr(usual))
    else console.log('terraform plan: skipped, since terraform is not on the PATH')
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
