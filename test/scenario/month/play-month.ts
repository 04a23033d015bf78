import { join } from 'node:path'
import { foundCompany } from './company.ts'
import { Month } from './month.ts'
import { ada, grace, nora, paul } from './shop.ts'

export const pagePath = join(import.meta.dirname, '../../../docs/live-edits.md')
const heading = '## A month'

/** The part of the page that is about the month: its end. */
export function monthIn(page: string): string {
  const [, month = ''] = page.split(`\n${heading}\n`)
  return month === '' ? '' : `${heading}\n${month}`
}

/** Plays the month and writes its part of the page. Throws if anything is not as the story says. */
export async function playMonth(): Promise<string> {
  const company = await foundCompany(Date.UTC(2026, 2, 2, 8))
  const month = new Month(company, introduction)
  try {
    await play(month)
    return month.text()
  } catch (error) {
    throw new Error(`after this:\n${month.text().slice(-4000)}`, { cause: error })
  } finally {
    await company.close()
  }
}

const introduction = `${heading}

A shop keeps its flags in a repository, and people change them in the product too. A test plays this month and compares the output.
Ada and Grace write declarations, Nora is on call, Paul is a product manager. Each pipeline has a new clone; records are on \`refs/vexil/runs\`.`

async function play(month: Month): Promise<void> {
  await month.withoutPage(() => begin(month))
  await meetLiveEdits(month)
  await month.withoutPage(() => retireFlag(month))
}

async function begin(month: Month): Promise<void> {
  await month.day(2, 'the first apply')
  await month.deploys({ apply: [/ created$/] })
  await month.live({ one_page_checkout: 'DE 20, AT 10', express_pay: 'all 100', spring_sale: 'all 100' })

  await month.day(3, 'a merge')
  const wider = await month.proposes(ada, undefined, {
    edit: ['flags/checkout.yaml', '[AT] }, rollout_percentage: 10', '[AT] }, rollout_percentage: 20'],
  })
  await month.plans(wider, [change, condition])
  await month.merges(wider, { apply: [/ changed$/] })
  await month.live({ one_page_checkout: 'DE 20, AT 20' })
}

async function meetLiveEdits(month: Month): Promise<void> {
  await month.day(4, 'an incident')
  await month.types(
    nora,
    'The bank does not answer. Nora turns payments off, without waiting for a merge.',
    ['disable', 'express_pay', '--env', 'production', '--reason', 'the bank is down', '--auto-approve'],
    [/^flags/, /express_pay$/, /active:/, /who had it/],
  )
  await month.live({ express_pay: 'off' })
  await month.waits(2 / 24)
  const name = await month.proposes(
    grace,
    'Two hours later Grace changes something else. Her plan shows what Nora did, and her merge leaves payments off.',
    { edit: ['flags/growth.yaml', 'Prices of the spring sale', 'Prices of the sale'] },
  )
  await month.plans(name, [/^HELD/, ...liveEdit, / or:/, sum])
  await month.merges(name, { apply: [/ changed$/, /not applied/] })
  await month.live({})
  await month.types(
    nora,
    undefined,
    ['enable', 'express_pay', '--env', 'production', '--auto-approve'],
    [/ changed$/],
  )
  await month.live({ express_pay: 'all 100' })

  await month.day(6, 'a click in the product')
  month.says(
    'In the product, Paul widens the new checkout in Germany to 30%. The nightly pipeline reports it and ends in 6.',
  )
  await month.clicks(paul, 30, 20)
  await month.live({ one_page_checkout: 'DE 30, AT 20' })
  await month.waits(14 / 24)
  await month.drifts([/^HELD/, ...liveEdit, condition], 6)
  await month.waits(2.5)
  const both = await month.proposes(
    ada,
    'On Monday Ada widens the same flag in Austria. Her merge keeps both changes. Then she takes his into the files.',
    {
      edit: ['flags/checkout.yaml', '[AT] }, rollout_percentage: 20', '[AT] }, rollout_percentage: 40'],
    },
  )
  await month.plans(both, [/^CHANGED ON BOTH SIDES/, /filters: merged/, change, condition])
  await month.merges(both)
  await month.live({ one_page_checkout: 'DE 30, AT 40' })
  const pull = { vexil: ['pull', 'one_page_checkout', '--env', 'production'], shows: [difference] }
  await month.merges(await month.proposes(ada, undefined, pull))
  await month.live({})

  await month.day(10, 'a conflict')
  await month.clicks(paul, 40, 40)
  await month.live({ one_page_checkout: 'DE 40, AT 40' })
  await month.waits(2 / 24)
  const back = await month.proposes(
    ada,
    'Paul goes on to 40% in Germany, and Ada wants to go back to 25%. Her plan ends in 3.',
    { edit: ['flags/checkout.yaml', '[DE] }, rollout_percentage: 30', '[DE] }, rollout_percentage: 25'] },
  )
  await month.plans(back, [/^CONFLICT/, /in the (product|repository): /, ...liveEdit, / or: --allow/], 3)
  await month.works(back, 'They talk, and Ada takes the value of the product into her branch.', pull)
  await month.merges(back)
  await month.live({})

  await month.day(12, 'a rollback')
  const more = await month.proposes(ada, undefined, {
    edit: ['flags/checkout.yaml', '[AT] }, rollout_percentage: 40', '[AT] }, rollout_percentage: 60'],
  })
  await month.merges(more)
  await month.live({ one_page_checkout: 'DE 40, AT 60' })
  await month.types(
    ada,
    'Ada has merged 60% for Austria, and the checkout is too slow there. She takes that run back.',
    ['undo', 'last', '--env', 'production', '--auto-approve'],
    [/checkout$/, condition, /git revert/],
  )
  await month.live({ one_page_checkout: 'DE 40, AT 40' })
  const revert = await month.proposes(ada, 'The files follow, and the plan has nothing left to do.', {
    git: ['revert', '--no-edit', '-m', '1', 'HEAD'],
  })
  await month.plans(revert, [sum])
  await month.merges(revert)
  await month.live({})
}

async function retireFlag(month: Month): Promise<void> {
  await month.day(16, 'a flag retires')
  const retire = { vexil: ['retire', 'spring_sale'], shows: [difference] }
  const turnedOff = await month.proposes(grace, undefined, {
    ...retire,
    shows: [difference, /^ {2}\d .* (written|later) /],
  })
  await month.merges(turnedOff)
  await month.live({ spring_sale: 'off' })
  await month.waits(8)
  const deleted = await month.proposes(grace, undefined, retire)
  await month.merges(deleted, { apply: [/ deleted$/] })
  await month.live({ spring_sale: undefined })
  await month.merges(
    await month.proposes(grace, undefined, {
      ...retire,
      shows: [/^removed/],
    }),
  )
  await month.live({})

  await month.drifts([/^No drift/], 0)
  await month.ends()
}

const change = /^ {2}[-+~] .*flags\//
const condition = /^ +condition/
const sum = /^\d+ to create/
/** An object that was changed in the product: what, by whom, and how to go on. */
const liveEdit = [/^ {2}= /, /: (held|changed)\b/, /to go on:/]
/** A changed line of a file. */
const difference = /^[-+] /
