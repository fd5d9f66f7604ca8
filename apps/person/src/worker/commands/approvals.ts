import { assertionOf, type Proof, requireCardId, requireOpen } from '@sealpost/session/worker'
import type { PersonContext } from '../context.ts'

/** A sign-in somewhere that waits for the person. */
export interface CardView {
  readonly id: string
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
  /** In the words of the company. */
  readonly reason: string | null
  readonly wantsDigits: boolean
  readonly createdAt: string
  readonly expiresAt: string
}

/** Oldest first. */
export async function listCards(context: PersonContext): Promise<readonly CardView[]> {
  const cards: CardView[] = []
  for await (const challenge of requireOpen(context).client.twofa.list()) {
    cards.push({
      id: requireCardId(challenge.id),
      companyId: challenge.company.user_id,
      companyName: challenge.company.display_name,
      serviceName: challenge.service.name,
      reason: challenge.context,
      wantsDigits: challenge.number_matching,
      createdAt: challenge.created_at,
      expiresAt: challenge.expires_at,
    })
  }
  return cards
}

export async function approveCard(
  context: PersonContext,
  { id, digits, proof }: { readonly id: string; readonly digits: string | null; readonly proof: Proof },
): Promise<void> {
  const { client } = requireOpen(context)
  try {
    await client.twofa.approve(id, {
      assertion: (challengeId) => assertionOf(context, proof, challengeId),
      ...(digits === null ? {} : { matchingDigits: digits }),
    })
  } finally {
    // Also after a refusal: the third wrong number ends the request.
    context.changed('approvals')
  }
}

export async function denyCard(context: PersonContext, id: string): Promise<void> {
  await requireOpen(context).client.twofa.deny(id)
  context.changed('approvals')
}

/** For a sign-in that another person has started: the company is told, and cannot ask again for an hour. */
export async function reportCard(context: PersonContext, id: string): Promise<void> {
  await requireOpen(context).client.twofa.report(id)
  context.changed('approvals')
}

/** A company that asks this person about sign-ins. */
export interface EnrollmentView {
  readonly serviceId: string
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
  readonly since: string
}

export async function listEnrollments(context: PersonContext): Promise<readonly EnrollmentView[]> {
  const views: EnrollmentView[] = []
  for await (const { service, company, enrolled_at: since } of requireOpen(context).client.twofa.enrollments()) {
    const names = { companyId: company.user_id, companyName: company.display_name, serviceName: service.name }
    views.push({ serviceId: service.service_id, ...names, since })
  }
  return views
}

export async function revokeEnrollment(context: PersonContext, serviceId: string): Promise<void> {
  await requireOpen(context).client.twofa.revoke(serviceId)
  context.changed('approvals')
}

/** A card has run out by the clock of the page: it ends without a hint. */
export async function readCardsAgain(context: PersonContext): Promise<void> {
  context.changed('approvals')
}
