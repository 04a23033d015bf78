interface DateForm {
  readonly says: string
  /** Dates of that form; every one is accepted. */
  readonly examples: readonly string[]
}

/** Every form of dates that conditions may have, for people. */
export const dateForms: readonly DateForm[] = [
  { says: 'a day', examples: ['2024-01-31', '2024/1/31', '2024.01.31', '20240131'] },
  {
    says: 'a day, the month first unless it can be none',
    examples: ['01/31/2024', '31/01/2024', '31.01.2024', '01-31-2024'],
  },
  {
    says: 'a day with the English name of its month; the day of the week may stand before it',
    examples: ['Jan 31 2024', 'January 31st, 2024', '31 Jan 2024', '31-Jan-2024', 'Wed, 31 Jan 2024'],
  },
  {
    says: 'a month or a year; what is left out is that of today, so `validate` warns',
    examples: ['2024-01', 'Jan 2024', '2024'],
  },
  {
    says: 'a day with a time; UTC unless a zone follows',
    examples: [
      '2024-01-31 10:15',
      '2024-01-31T10:15:30.250',
      '20240131T101530',
      '2024-01-31 10:15 pm',
      'Jan 31 2024 at 10am',
    ],
  },
  {
    says: 'a zone, which is an offset or UTC',
    examples: [
      '2024-01-31T10:15Z',
      '2024-01-31 10:15 UTC',
      '2024-01-31 10:15 GMT',
      '2024-01-31T10:15+01:00',
      '2024-01-31T10:15 +0100',
      '2024-01-31T10:15+01',
    ],
  },
  {
    says: 'counted back from now, in hours, days, weeks, months or years; only in conditions',
    examples: ['-12h', '-7d', '2w', '-1m', '-1y'],
  },
]
