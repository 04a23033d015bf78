import { escapeText } from '../../model/text/escape-text.ts'
import type { Document } from '../document.ts'
import { comparisonReport } from './comparison-report.ts'
import { driftReport } from './drift-report.ts'
import { historyReport } from './history-report.ts'
import { peopleOf } from './people.ts'
import { planReport, shownPlan } from './plan-report.ts'
import { failureReport, validationReport, withErrors, withWarnings } from './problems-report.ts'
import type { Manner, Report } from './report.ts'
import { runReport } from './run-report.ts'
import { testsReport } from './tests-report.ts'

/** What a document says to people; undefined for those that are no report of objects. */
export function reportOf(
  document: Document,
  { isVerbose, isForReview, foldsGrants, leavesOutWarnings }: Omit<Manner, 'now'> = {},
): Report | undefined {
  switch (document.is) {
    case 'plan': {
      // Not the whole document: to read `saved` takes as long as to make the plan.
      const { plan, meta, deed, next, showsUnchanged, note, warnings } = document
      const report = planReport(plan, {
        meta,
        deed,
        next,
        showsUnchanged,
        isVerbose,
        isForReview,
        foldsGrants,
      })
      const notes = note === undefined ? [] : [escapeText(note)]
      const people = peopleOf(plan, document.authors)
      const told = withWarnings(
        { ...report, notes: [...report.notes, ...notes], people },
        leavesOutWarnings ? [] : warnings,
        isVerbose,
      )
      return withErrors(told, document.errors)
    }
    case 'saved_plan': {
      const { plan, next } = document
      return {
        ...planReport(shownPlan(plan), { meta: plan.meta, next, isVerbose, isForReview, foldsGrants }),
        is: 'saved_plan',
        people: peopleOf(plan, document.authors),
      }
    }
    case 'drift':
      return { ...driftReport(document, { isVerbose }), people: peopleOf(document.plan, document.authors) }
    case 'run':
      return withErrors(
        { ...runReport(document, { isVerbose }), people: peopleOf(document, document.authors) },
        document.errors,
      )
    case 'comparison':
      return comparisonReport(document)
    case 'history':
      return historyReport(document)
    case 'tests':
      return testsReport(document, { isVerbose })
    case 'validation':
      return validationReport(document)
    case 'failure':
      return failureReport(document)
    default:
      return undefined
  }
}
