import { connect, type NatsConnection } from '@nats-io/transport-node'
import { loginWith } from '@sealpost/bus/credentials'
import type { ObservedNats } from '@sealpost/testkit'

/** As a user that may read and write everything, which only the servers of tests have. */
export function observeNats({ url, observer }: ObservedNats): Promise<NatsConnection> {
  return connect({ servers: url, authenticator: loginWith(observer) })
}
