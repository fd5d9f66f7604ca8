import { randomBytes } from 'node:crypto'
import { isSealpostError } from '@sealpost/sdk'

/**
 * The logins that wait for their person. They are in the memory of this process: with several processes, keep them in a
 * store that all of them reach, or send a browser to the same one.
 */
export class Approvals {
  #client
  #attempts = new Map()

  /** @param client a `ServiceClient` */
  constructor(client) {
    this.#client = client
  }

  /** Resolves when the digits are known, or the login was refused at once. */
  async begin({ user, shareCode, context }) {
    const id = randomBytes(32).toString('base64url')
    const attempt = { user, state: 'waiting', digits: null }
    const { promise: raised, resolve } = Promise.withResolvers()
    const login = {
      shareCode,
      context,
      idempotencyKey: id,
      pollSeconds: 1,
      onProgress(step) {
        if (step.kind !== 'raised') return
        attempt.digits = step.matchingDigits
        resolve()
      },
    }
    void this.#client.twofa
      .approveLogin(login)
      .then(({ isApproved }) => {
        // Only this is a login. Denied, expired, revoked and everything that is not certain are not.
        attempt.state = isApproved ? 'approved' : 'refused'
      })
      .catch((error) => {
        attempt.state = 'refused'
        if (!isSealpostError(error, 'twofa.person_not_found')) console.error(error)
      })
      .finally(resolve)
    this.#attempts.set(id, attempt)
    await raised
    return { id, state: attempt.state, digits: attempt.digits }
  }

  /** An outcome is given once. */
  read(id) {
    const attempt = this.#attempts.get(id) ?? { user: null, state: 'refused' }
    if (attempt.state !== 'waiting') this.#attempts.delete(id)
    return attempt
  }
}
