import type { Month } from './month.ts'
import { ada, ben, grace, lena, nora, paul } from './people.ts'
import { firstLeaves } from './shop.ts'

const production = 'production'

/** What is live of the shares of flags: `share('express_pay', 50)`. */
const share = (key: string, percent: number, condition = 0) => ({
  [`${key} filters groups ${condition} rollout_percentage`]: percent,
})

/** What Paul's screen sends: it replaces the conditions whole. */
const countries = (germany: number, austria: number) => {
  const condition = (country: string, percent: number) => ({
    properties: [{ key: 'country', type: 'person', operator: 'exact', value: [country] }],
    rollout_percentage: percent,
  })
  const body = { filters: { groups: [condition('DE', germany), condition('AT', austria)] } }
  return { environment: production, key: 'one_page_checkout', body } as const
}

/** What happens in March, day by day, until the last flag that is retired is gone. */
export async function march(month: Month): Promise<void> {
  await firstWeek(month)
  await secondWeek(month)
  await thirdWeek(month)
  await fourthWeek(month)
  await firstDaysOfApril(month)
}

async function firstWeek(month: Month): Promise<void> {
  await month.day(2, 'the first apply')
  month.tells(
    'The repository declares six flags, and nobody has made any of them yet. The pipeline of main applies them.',
  )
  await month.deploys(ada, {
    staging: { becomes: firstLeaves('staging') },
    production: { becomes: firstLeaves('production') },
  })
  await month.night({ staging: 0, production: 0 })

  await month.day(3, 'a change')
  await month.proposes(
    ben,
    'Ben opens a pull request: 60% get results while they type.',
    [['flags/search.yaml', 'rollout_percentage: 50', 'rollout_percentage: 60']],
    { production: 0 },
  )
  const sixty = share('instant_results', 60)
  await month.merges(ben, 'Ben merges it.', { staging: { becomes: sixty }, production: { becomes: sixty } })

  await month.day(4, 'payments fail')
  await month.at('12:12')
  await month.types(
    nora,
    'The bank does not answer. Nora is on call, and turns one-click payments off from her laptop.',
    ['disable', 'express_pay', '--env', production, '--reason', 'the bank is down', '--auto-approve'],
    {
      becomes: { production: { 'express_pay active': false } },
      left: { production: ['express_pay active held'] },
    },
  )
  await month.at('14:00')
  await month.proposes(
    ben,
    'Ben knows nothing of it, and goes on to 70%. The plan tells him, and leaves payments off.',
    [['flags/search.yaml', 'rollout_percentage: 60', 'rollout_percentage: 70']],
    { production: 0 },
  )
  const seventy = share('instant_results', 70)
  await month.merges(ben, 'Ben merges it, and payments stay off.', {
    staging: { becomes: seventy },
    production: { becomes: seventy },
  })
  await month.night({ production: 6 })

  await month.day(5, 'payments work again')
  await month.types(
    nora,
    'The bank is back. Nora types what the plan has told.',
    'enable feature_flag.express_pay --env production --auto-approve',
    { becomes: { production: { 'express_pay active': true } }, left: { production: [] } },
  )
  await month.night({ production: 0 })

  await month.day(6, 'a product manager widens a release')
  await month.clicks(
    paul,
    'Paul gives the new checkout to 30% of the people in Germany, in the product. The repository says 20%.',
    countries(30, 10),
    {
      becomes: { production: share('one_page_checkout', 30) },
      left: { production: ['one_page_checkout filters held'] },
    },
  )
  await month.night({ production: 6 })
}

async function secondWeek(month: Month): Promise<void> {
  await month.day(9, 'both sides change one flag, and both come')
  await month.proposes(
    ada,
    'Ada widens the same release in Austria, from 10% to 20%.',
    [['flags/checkout.yaml', '[AT] }, rollout_percentage: 10', '[AT] }, rollout_percentage: 20']],
    { production: 0 },
  )
  await month.merges(ada, 'Ada merges it: Austria gets hers, and Germany keeps what Paul has given.', {
    production: { becomes: share('one_page_checkout', 20, 1) },
  })
  await month.proposes(
    ada,
    'Ada takes what Paul has done into the files, as the plan has told.',
    { vexil: 'pull feature_flag.one_page_checkout --env production --commit' },
    { production: 0 },
  )
  await month.merges(ada, 'Ada merges it, and nothing is held any more.', { production: { left: [] } })

  await month.day(10, 'a conflict, in which the product is right')
  await month.clicks(paul, 'Paul goes on to 40% in Germany.', countries(40, 20), {
    becomes: { production: share('one_page_checkout', 40) },
    left: { production: ['one_page_checkout filters held'] },
  })
  await month.at('11:00')
  await month.proposes(
    ada,
    'Ada wants to go back to 25% there, and finds out that Paul wants the opposite.',
    [['flags/checkout.yaml', 'germany: { rollout_percentage: 30 }', 'germany: { rollout_percentage: 25 }']],
    { production: 3 },
  )
  await month.amends(
    ada,
    'They talk. Ada gives in, and takes what is live into her branch.',
    { vexil: 'pull feature_flag.one_page_checkout --env production' },
    { production: 0 },
  )
  await month.merges(ada, 'Ada merges it.', { production: { left: [] } })

  await month.day(11, 'a conflict, in which the repository is right')
  const half = { filters: { groups: [{ properties: [], rollout_percentage: 50 }] } }
  await month.clicks(
    lena,
    'Lena shows the referral banner to half of the people, in the product.',
    { environment: production, key: 'referral_banner', body: half },
    {
      becomes: { production: share('referral_banner', 50) },
      left: { production: ['referral_banner filters held'] },
    },
  )
  await month.at('11:00')
  await month.proposes(
    grace,
    'Grace shows it to 30%.',
    [['flags/growth.yaml', 'rollout_percentage: 25', 'rollout_percentage: 30']],
    { production: 3 },
  )
  const thirty = share('referral_banner', 30)
  await month.merges(
    grace,
    'Grace merges it. Staging gets it; in production the pipeline stops at the plan.',
    {
      staging: { becomes: thirty },
      production: { plan: 3, left: ['referral_banner filters conflict'] },
    },
  )
  await month.types(
    grace,
    'They talk, and Lena gives in. Grace says that it may be written over.',
    'apply --env production --allow live_edit=feature_flag.referral_banner --auto-approve',
    { becomes: { production: thirty }, left: { production: [] } },
  )

  await month.day(12, 'a rollback')
  const ninety = share('instant_results', 90)
  await month.proposes(
    ben,
    'Ben gives results while typing to 90%.',
    [['flags/search.yaml', 'rollout_percentage: 70', 'rollout_percentage: 90']],
    { production: 0 },
  )
  await month.merges(ben, 'Ben merges 90%.', {
    staging: { becomes: ninety },
    production: { becomes: ninety },
  })
  await month.at('15:00')
  await month.types(
    ben,
    'The search is too slow for that. Ben takes the run in production back.',
    'undo last --env production --auto-approve',
    {
      becomes: { production: share('instant_results', 70) },
      left: { production: ['instant_results filters held'] },
    },
  )
  await month.proposes(
    grace,
    'Grace changes a description, and her plan tells what Ben has done.',
    [['flags/growth.yaml', 'customers to invite their friends', 'customers to bring a friend']],
    { production: 0 },
  )
  const described = { 'referral_banner name': 'Asks customers to bring a friend' }
  await month.merges(grace, 'Grace merges it, and the rollback stays.', {
    staging: { becomes: described },
    production: { becomes: described },
  })
  await month.night({ production: 6 })

  await month.day(13, 'the rollback reaches the repository')
  const merged = await month.commitOf(ben, ':/Ben merges 90%')
  await month.proposes(
    ben,
    'Ben types what the undo has told. Production agrees already, and staging follows.',
    { git: ['revert', '--no-edit', '-m', '1', merged.slice(0, 12)] },
    { staging: 0, production: 0 },
  )
  await month.merges(ben, 'Ben merges it.', {
    staging: { becomes: share('instant_results', 70) },
    production: { left: [] },
  })
  await month.night({ staging: 0, production: 0 })
}

async function thirdWeek(month: Month): Promise<void> {
  await month.day(16, 'an old pipeline runs late')
  const late = await month.pipeline(ben)
  await month.proposes(
    ada,
    'A pipeline has made its clone, and waits for a runner. Meanwhile Ada gives the checkout to 40% in Austria.',
    [['flags/checkout.yaml', '[AT] }, rollout_percentage: 20', '[AT] }, rollout_percentage: 40']],
    { production: 0 },
  )
  await month.merges(ada, 'Ada merges it.', {
    production: { becomes: share('one_page_checkout', 40, 1) },
  })
  await month.at('12:00')
  await month.runs(
    late,
    'Now the old pipeline goes on. Its clone does not have that commit; the record of its run tells of it, and nothing is taken back.',
    'apply --env production --auto-approve',
  )
  await month.runs(late, 'It fetches the commit, as it was told, and knows that it is late.', {
    git: ['fetch', '--quiet', 'origin', await month.commitOf(ada, 'main')],
  })
  await month.runs(late, 'From here on it refuses.', 'apply --env production --auto-approve', { code: 5 })
  await month.leaves(late)

  await month.day(17, 'from staging to production, in steps')
  await month.proposes(
    ben,
    'Staging has had the new ranking for weeks. Ben promotes it.',
    { vexil: 'promote new_ranking --from staging --to production' },
    { production: 0 },
  )
  const ramp = { vexil: 'ramp new_ranking --env production --to 100' } as const
  await month.proposes(ben, 'That is too much at once, so he begins with the first step.', ramp, {
    production: 0,
  })
  await month.merges(ben, 'Ben merges the first step.', { production: { becomes: share('new_ranking', 25) } })

  await month.day(18, 'a flag gets another key in the product')
  const renamed = Object.fromEntries(
    Object.entries(month.leavesOf(production, 'instant_results')).map(([path, value]) => [
      path.replace('instant_results', 'results_while_typing'),
      value,
    ]),
  )
  await month.clicks(
    lena,
    'Lena finds instant_results a bad name. In production it is results_while_typing now.',
    { environment: production, key: 'instant_results', body: { key: 'results_while_typing' } },
    {
      becomes: { production: { instant_results: undefined, ...renamed } },
      left: { production: ['instant_results renamed_in_product'] },
    },
  )
  await month.proposes(ben, 'Ben takes the second step of his rollout, and reads of it.', ramp, {
    production: 0,
  })
  await month.merges(ben, 'Ben merges the second step.', {
    production: { becomes: share('new_ranking', 50) },
  })
  await month.night({ production: 6 })

  await month.day(19, 'the new key is declared')
  await month.proposes(
    ben,
    'Ben follows the plan of production, and declares the new key. In staging that would be a second flag.',
    [['flags/search.yaml', '  instant_results:', '  results_while_typing:']],
    { staging: 0, production: 0 },
  )
  const id = month.idOf('staging', 'instant_results')
  const staged = Object.fromEntries(
    Object.entries(month.leavesOf('staging', 'instant_results')).map(([path, value]) => [
      path.replace('instant_results', 'results_while_typing'),
      value,
    ]),
  )
  await month.runsOnBranch(
    ben,
    'So he types what the plan of staging tells.',
    [
      'call',
      'feature_flag.update',
      `id=${await id}`,
      '--body',
      '{"key":"results_while_typing"}',
      '--env',
      'staging',
    ],
    { becomes: { staging: { instant_results: undefined, ...staged } } },
  )
  await month.checks(ben, { staging: 0, production: 0 })
  await month.merges(ben, 'Ben merges the key.', { staging: {}, production: { left: [] } })
}

async function fourthWeek(month: Month): Promise<void> {
  await month.day(20, 'a flag is deleted in the product')
  const banner = month.leavesOf(production, 'referral_banner')
  const deletes = { environment: production, key: 'referral_banner', body: { deleted: true } } as const
  const gone = {
    becomes: { production: { referral_banner: undefined } },
    left: {
      production: [
        'referral_banner exists held',
        'feature_flag_role_access.referral_banner:marketing parent_missing',
      ],
    },
  }
  await month.clicks(lena, 'Lena deletes the referral banner in production.', deletes, gone)
  await month.night({ production: 6 })

  await month.day(23, 'the flag comes back, and goes')
  await month.types(
    grace,
    'Grace thinks that this was a slip, and brings it back as the drift has told.',
    'apply --env production --allow live_edit=feature_flag.referral_banner --auto-approve',
    { becomes: { production: banner }, left: { production: [] } },
  )
  await month.at('11:00')
  await month.clicks(lena, 'It was none: Lena deletes it again, and says why.', deletes, gone)
  await month.proposes(
    grace,
    'Grace takes that into the files.',
    { vexil: 'pull feature_flag.referral_banner --env production --commit' },
    { staging: 0, production: 0 },
  )
  await month.merges(grace, 'Grace merges it.', { staging: {}, production: { left: [] } })

  await month.day(24, 'an incident that the repository agrees with')
  await month.types(
    nora,
    'The bank is down again, and will be until tomorrow.',
    ['disable', 'express_pay', '--env', production, '--reason', 'the bank moves', '--auto-approve'],
    {
      becomes: { production: { 'express_pay active': false } },
      left: { production: ['express_pay active held'] },
    },
  )
  await month.proposes(
    ada,
    'Ada says so in the repository.',
    { vexil: 'pull express_pay --env production' },
    { production: 0 },
  )
  await month.merges(ada, 'Ada merges it: both agree.', { production: { left: [] } })
  await month.day(25, 'and turns it on again')
  await month.proposes(
    ada,
    'The bank is back. Now a pull request turns payments on, as any other change; for the limits this is one from nobody to everybody.',
    [
      [
        'flags/checkout.yaml',
        '      production:\n        active: false',
        '      production:\n        active: true',
      ],
    ],
    { production: 0 },
  )
  await month.merges(ada, 'Ada merges it.', { production: { left: ['express_pay rollout_step'] } })
  await month.types(
    ada,
    'That is what is meant, and Ada says so.',
    'apply --env production --allow rollout_step=feature_flag.express_pay --auto-approve',
    { becomes: { production: { 'express_pay active': true } }, left: { production: [] } },
  )

  await month.day(26, 'a hotfix')
  const applied = await month.commitOf(ben, 'main')
  await month.types(
    grace,
    'Grace looks for flags of her team that are the same for everybody for two weeks or longer.',
    'stale --owner growth --days 14',
    { code: 6 },
  )
  await month.proposes(
    grace,
    'The spring sale is over, so nobody is to get its prices. Production waits for tomorrow, so only staging gets that now.',
    { vexil: 'retire spring_sale' },
    { production: 0 },
  )
  await month.merges(grace, 'Grace merges it.', { staging: { becomes: { 'spring_sale active': false } } })
  const slower = share('results_while_typing', 60)
  await month.proposes(
    ben,
    'Search is slow. Ben goes back to 60%.',
    [['flags/search.yaml', 'rollout_percentage: 70', 'rollout_percentage: 60']],
    {},
  )
  await month.merges(ben, 'Ben merges it.', { staging: { becomes: slower } })
  const fix = await month.commitOf(ben, ':/Search is slow')
  await month.branches(
    ben,
    'Production must not wait for the sale. Ben picks the fix onto what production has.',
    'hotfix',
    applied,
    { git: ['cherry-pick', fix.slice(0, 12)] },
  )
  await month.deploys(ben, { production: { becomes: slower } }, 'hotfix')
  const hotfix = await month.commitOf(ben, 'hotfix')
  await month.proposes(
    ada,
    'Ada has begun her branch before all that. Her plan does not take the fix back.',
    [['flags/checkout.yaml', '[AT] }, rollout_percentage: 40', '[AT] }, rollout_percentage: 50']],
    { production: 0 },
    applied,
  )
  await month.amends(
    ada,
    'She takes the commit in, as she was told.',
    { git: ['merge', '--no-edit', `${hotfix.slice(0, 12)}`] },
    { production: 0 },
  )

  await month.day(27, 'everything is together')
  await month.merges(ada, 'Ada merges it. Production gets the end of the sale as well, and keeps the fix.', {
    production: { becomes: { ...share('one_page_checkout', 50, 1), 'spring_sale active': false } },
  })
  const ramp = { vexil: 'ramp new_ranking --env production --to 100' } as const
  await month.proposes(ben, 'Ben takes the third step of his rollout.', ramp, { production: 0 })
  await month.merges(ben, 'Ben merges the third step.', { production: { becomes: share('new_ranking', 75) } })
  await month.night({ staging: 0, production: 0 })

  await month.day(30, 'the last step of a rollout')
  await month.proposes(ben, 'Everybody gets the new ranking.', ramp, { production: 0 })
  await month.merges(ben, 'Ben merges the last step.', { production: { becomes: share('new_ranking', 100) } })
  await month.types(
    grace,
    'Nobody has missed the sale. Grace goes on with its flag, and hears that it is too early.',
    'retire spring_sale',
    { code: 3 },
  )
}

async function firstDaysOfApril(month: Month): Promise<void> {
  const toRetire = { vexil: 'retire spring_sale' } as const
  await month.day(31 + 3, 'the flag of the sale is deleted')
  await month.at('12:00')
  await month.proposes(grace, 'The flag has been off for a week. Grace types the same again.', toRetire, {
    production: 0,
  })
  const absent = { spring_sale: undefined }
  await month.merges(grace, 'Grace merges it.', {
    staging: { becomes: absent },
    production: { becomes: absent },
  })

  await month.day(31 + 6, 'the end')
  await month.proposes(grace, 'And once more, for the declaration.', toRetire, { staging: 0, production: 0 })
  await month.merges(grace, 'Grace merges it.', { staging: {}, production: {} })
  await month.night({ staging: 0, production: 0 })
  month.tells('Both environments are as the repository says.')
  await month.ends()
}
