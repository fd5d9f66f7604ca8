import type { ListAnswer } from '@sealpost/http'
import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Enrollment as ShownEnrollment, PageQueryText, ReceivedChallenge } from '@sealpost/protocol'
import { listPage, type Page, type Slice } from '../../../../platform/page.ts'
import { findKnown, type KnownConnection } from '../../../connections/index.ts'
import type { ChallengeId } from '../../model.ts'
import type { CustomerContext } from '../context.ts'
import type { Card } from '../model.ts'
import { listOpen } from '../store/cards.ts'
import { listActive } from '../store/enrollments.ts'
import { cardToWire, enrollmentToWire } from '../wire.ts'
import type { LocatedEnrollment } from './enrollments.ts'

interface ShownCard {
  readonly card: Card
  readonly known: KnownConnection
}

const challenges = {
  name: 'received_challenges',
  member: 'challenges',
  idOf: ({ card }: ShownCard) => card.id,
  toWire: ({ card, known }: ShownCard) => cardToWire(card, known),
} as const

export function listChallenges(
  { database, clock }: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<ReceivedChallenge, 'challenges'>>> {
  return listPage(challenges, query, (slice: Slice<ChallengeId>) =>
    database.read(async (read) => {
      const shown: ShownCard[] = []
      for (const card of await listOpen(read, accountId, slice, clock.now())) {
        const known = await findKnown(read, { accountId, id: card.connectionId })
        if (known !== null) shown.push({ card, known })
      }
      return shown
    }),
  )
}

const enrollments = {
  name: 'enrollments',
  member: 'enrollments',
  idOf: ({ enrollment }: LocatedEnrollment) => enrollment.serviceId,
  toWire: enrollmentToWire,
} as const

export function listEnrollments(
  { database }: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<ShownEnrollment, 'enrollments'>>> {
  return listPage(enrollments, query, (slice: Slice<ServiceId>) =>
    database.read(async (read) => {
      const shown: LocatedEnrollment[] = []
      for (const enrollment of await listActive(read, accountId, slice)) {
        const known = await findKnown(read, { accountId, id: enrollment.connectionId })
        if (known !== null) shown.push({ enrollment, known })
      }
      return shown
    }),
  )
}
