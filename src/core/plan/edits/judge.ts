import { liveEditWay } from '../../../model/safety/live-edit-policy.ts'
import type { BaseOrigin, OutsideWrite } from '../../live-edits/base.ts'
import { isLeftOut } from '../../live-edits/live-edit-counts.ts'
import {
  type Decision,
  type Judgement,
  type Leave,
  type Situation,
  treatmentOf,
} from '../../live-edits/treatment.ts'
import { isBehind } from '../../live-edits/verdict.ts'
import { liveEditPolicyOf } from '../../policy.ts'
import { isAllowedFor, type ObjectContext } from '../object/object-context.ts'
import type { OnRecord } from './on-record.ts'

/** What is to be decided of one field of an object, or of its existence. */
export interface Question {
  readonly field: string
  readonly verdict: Situation['verdict']
  /** The run that the base of the field is of; undefined without a base. */
  readonly origin: BaseOrigin | undefined
  readonly write: OutsideWrite | undefined
  readonly evidence?: Situation['evidence']
  /** Whether the planned line declares it as it was where a diverged line parted from it. */
  readonly isAsAtFork: (commit: string) => boolean
  /** Whether the planned line has declared it as the base has it before. */
  readonly wasDeclared: () => boolean | undefined
}

export interface Answer extends Judgement {
  /** Whether it is written over only because somebody has allowed that. */
  readonly isLifted: boolean
  /** Of what is taken back: whether the repository has changed it as well. */
  readonly isOnBothSides?: true
  /** Of what is behind: the commit that declared what is live. */
  readonly commit?: string
}

/** Decides what becomes of a field: by the verdict, the policy, what proves it, and what is allowed. */
export function answerTo(context: ObjectContext, { lineage }: OnRecord, question: Question): Answer {
  const { field, verdict, origin, write, evidence } = question
  const commit = origin?.revision?.commit
  const relation = lineage.relationOf(commit)
  const situation: Situation = {
    verdict,
    isBehind: isBehind({
      relation,
      isAsAtFork: relation === 'diverged' && commit !== undefined && question.isAsAtFork(commit),
      ...(relation === 'missing' ? { wasDeclared: question.wasDeclared() } : {}),
    }),
    way: liveEditWay(liveEditPolicyOf(context.policy, context.desired), field),
    leave: leaveOf(context),
    ...(write ? { outside: write.by } : {}),
    ...(evidence === undefined ? {} : { evidence }),
  }
  const judgement = treatmentOf(situation)
  const isLifted = stays(treatmentOf({ ...situation, leave: 'none' }).is) && !stays(judgement.is)
  const behind = judgement.is === 'behind' && commit !== undefined ? { commit } : {}
  const both = judgement.is === 'reverted' && verdict === 'conflict' ? { isOnBothSides: true as const } : {}
  return { ...judgement, isLifted, ...both, ...behind }
}

function stays(is: Decision): boolean {
  switch (is) {
    case 'nothing':
    case 'send':
      return false
    case 'merge':
      return true
    default:
      return isLeftOut(is)
  }
}

/** How somebody has said to go ahead: by naming the object, or for good. */
function leaveOf(context: ObjectContext): Leave {
  const { desired, policy } = context
  const isNamed = policy.allow.some(
    ({ rule, address }) => rule === 'live_edit' && address === desired.address,
  )
  if (isNamed) return 'named'
  return isAllowedFor(context, 'live_edit') ? 'standing' : 'none'
}
