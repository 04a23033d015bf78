import { join } from 'node:path'
import type { Profile } from '../../../src/model/connection/profile.ts'
import { foundCompany } from './company.ts'
import { march } from './march.ts'
import { Month } from './month.ts'
import { Story } from './story.ts'

/** The page that has been written of it. */
export const pagePath = join(import.meta.dirname, '../../../docs/a-month.md')

const title = 'A month beside people who click'

const introduction = `A shop keeps its flags in a repository, and people change them in the product too. This page tells what happens in
March, and until what was begun then is done: who does what, what they type, and what Vexil says, word for word. A test plays all of it and compares.

- Ada works for the team checkout, Ben for search, Grace for growth. Each team has a file of declarations. Nora is on call, Paul is a product
  manager, and Lena writes to customers; they click in the product.
- A pull request has a pipeline that plans, with a key that can only read. Main has one that plans and applies. Each run of a pipeline begins with a new
  clone and throws it away; records of runs are on \`refs/vexil/runs\` of the remote.
- \`(as on the pull request)\` stands where a pipeline of main says what the pipeline of the pull request has said.
- In the night a pipeline looks for drift.

[live-edits.md](live-edits.md) has the rules.`

/** Plays the month, and answers with the page. Throws where anything is not as the script expects it. */
export async function playMarch(profile: Profile): Promise<string> {
  const company = await foundCompany(Date.UTC(2026, 2, 2, 8), profile)
  const story = new Story(title, introduction)
  try {
    await march(new Month(company, story))
    return story.text()
  } catch (error) {
    throw new Error(`after this:\n${story.text().slice(-4000)}`, { cause: error })
  } finally {
    await company.close()
  }
}
