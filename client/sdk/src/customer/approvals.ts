import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  approveChallenge,
  denyChallenge,
  listEnrollments,
  listReceivedChallenges,
  reportChallenge,
  revokeEnrollment,
} from '../routes.generated.ts'
import type {
  ApproveChallengeAnswer,
  ApproveChallengeBody,
  ListEnrollmentsAnswer,
  ListReceivedChallengesAnswer,
} from '../shapes.generated.ts'
import type { CustomerSession } from './session.ts'

/** A login that waits for the person's approval. */
export type ReceivedChallengeRecord = ListReceivedChallengesAnswer['challenges'][number]

export type EnrollmentRecord = ListEnrollmentsAnswer['enrollments'][number]

export interface ApprovalProof {
  /** A trusted device signs the id of the challenge, after it was unlocked. */
  readonly assertion: (challengeId: string) => Promise<ApproveChallengeBody['assertion']>
  /** The digits of the login page, where the card asks for them. */
  readonly matchingDigits?: string
}

/** Logins at services that the person approves. Persons only. */
export class OwnApprovals {
  readonly #session: CustomerSession

  constructor(session: CustomerSession) {
    this.#session = session
  }

  /** The challenges that wait for an answer, oldest first. */
  list(options?: CallOptions): AsyncGenerator<ReceivedChallengeRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#session
        .send(listReceivedChallenges, { query: pageQuery(cursor) }, options)
        .then(({ challenges, next_cursor }) => ({ items: challenges, next_cursor })),
    )
  }

  async approve(
    challengeId: string,
    { assertion, matchingDigits }: ApprovalProof,
    options?: CallOptions,
  ): Promise<ApproveChallengeAnswer> {
    const body = {
      assertion: await assertion(challengeId),
      ...(matchingDigits === undefined ? {} : { matching_digits: matchingDigits }),
    }
    return this.#session.send(approveChallenge, { params: { id: challengeId }, body }, options)
  }

  deny(challengeId: string, options?: CallOptions): Promise<ApproveChallengeAnswer> {
    return this.#session.send(denyChallenge, { params: { id: challengeId }, body: {} }, options)
  }

  /** For a login that the person did not start: denies it and mutes the service for an hour. */
  report(challengeId: string, options?: CallOptions): Promise<ApproveChallengeAnswer> {
    return this.#session.send(reportChallenge, { params: { id: challengeId }, body: {} }, options)
  }

  /** The services whose logins the person approves. */
  enrollments(options?: CallOptions): AsyncGenerator<EnrollmentRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#session
        .send(listEnrollments, { query: pageQuery(cursor) }, options)
        .then(({ enrollments, next_cursor }) => ({ items: enrollments, next_cursor })),
    )
  }

  /** Ends an enrolment; pending challenges of the service are revoked. */
  revoke(serviceId: string, options?: CallOptions): Promise<void> {
    return this.#session.send(revokeEnrollment, { params: { serviceId } }, options)
  }
}
