import type { Instant } from '@sealpost/kernel'
import type { ErrorClass } from '../../modules/webhooks/index.ts'

/** The newest failed delivery of the last 7 days. */
export interface LastFailure {
  readonly errorClass: string | null
  readonly httpStatus: number | null
  readonly at: Instant | null
}

interface Meaning {
  /** The usual cause of this failure. */
  readonly means: string
  readonly cure: string
}

/** From the log of deliveries, else from the stored sentence. */
export function meaningOf(failure: LastFailure | null, lastError: string | null): Meaning | null {
  const status = failure?.httpStatus ?? statusIn(lastError)
  if (status !== null) return meaningOfStatus(status)
  const known = failure?.errorClass
  if (known !== null && known !== undefined && isErrorClass(known)) return MEANINGS[known]
  return null
}

const MEANINGS: Readonly<Record<Exclude<ErrorClass, 'status'>, Meaning>> = {
  refused: {
    means: 'this platform does not call such an address: it is private, on a closed port, or the platform itself',
    cure: 'give the webhook a public address; for a closed test network an operator sets ALLOW_PRIVATE_TARGETS=1',
  },
  dns: {
    means: 'the host name does not exist, or its name servers do not answer',
    cure: 'check the host in the URL and its DNS records; if other webhooks fail as well, check the resolver of this region',
  },
  connect: {
    means: 'nothing listens there, a firewall drops us, or the server ends connections at once',
    cure: 'start the receiver, check port and firewall for the addresses that this region calls from',
  },
  tls: {
    means: 'its certificate has expired, has another name, or is not signed by a trusted authority',
    cure: 'renew the certificate and serve the whole chain; self-signed ones are never accepted',
  },
  timeout: {
    means: 'the receiver takes longer than 10 seconds, or does not accept a connection within 5',
    cure: 'answer 200 as soon as the event is stored, and process it afterwards',
  },
  protocol: {
    means: 'the server speaks no proper HTTP, or another protocol (http where https is expected)',
    cure: 'check scheme and port of the URL, and the proxy in front of the receiver',
  },
  no_answer: {
    means: 'no HTTP answer came from a port other than 80 and 443, where the cause is not shown',
    cure: 'start the receiver, check its port, certificate and firewall; or serve it at port 443, where the cause is shown',
  },
  config: {
    means:
      'the webhook cannot be sent as it is set up: encrypt_payload without an account key, or no secret ' +
      'that can be opened (keys:rewrap names the key that is missing)',
    cure: 'save the webhook again with its authentication, or turn encrypt_payload off',
  },
  aborted: {
    means: 'this platform aborted it, because the worker was being stopped',
    cure: 'nothing: the next worker sends it again',
  },
  internal: {
    means: 'a fault of this platform',
    cure: 'find the id of the webhook in the logs of the workers and report it',
  },
}

function meaningOfStatus(status: number): Meaning {
  if (status === 401 || status === 403) {
    return {
      means: 'the receiver does not accept our authentication',
      cure: 'compare auth_type and its secret on both sides; after a rotation the receiver may know only the old one',
    }
  }
  if (status === 404 || status === 405 || status === 410) {
    return {
      means: 'the receiver has no such path, or takes no POST there',
      cure: 'correct the path in the URL of the webhook, or deploy the route',
    }
  }
  if (status === 429 || status === 408) {
    return {
      means: 'the receiver limits us',
      cure: 'remove the limit: this platform sends one event at a time',
    }
  }
  if (status >= 200 && status < 300) {
    return {
      means: `the receiver answered ${status}; only 200 counts`,
      cure: 'answer 200; the same event comes again under the same webhook-id',
    }
  }
  if (status >= 300 && status < 400) {
    return { means: 'the receiver redirects, which is not followed', cure: 'put the final address into the webhook' }
  }
  if (status >= 500) {
    return {
      means: 'the receiver failed, or the proxy in front of it found none',
      cure: 'check the log of the receiver at that time; the event that it fails on is sent first again',
    }
  }
  return {
    means: 'the receiver does not accept the request',
    cure: 'check format, encrypt_payload and the expected signature; its log says more',
  }
}

function statusIn(lastError: string | null): number | null {
  const digits = /^answered (\d{3})\b/.exec(lastError ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

function isErrorClass(word: string): word is keyof typeof MEANINGS {
  return Object.hasOwn(MEANINGS, word)
}
