import type { CephSite } from './ceph-config.ts'
import { createS3User, answersHttp, launchCeph, type S3User } from './ceph.ts'
import { reservePort } from './ports.ts'
import type { PrivateEngine } from './private-engine.ts'
import { preparePrivateEngine } from './run-private-engine.ts'

export interface PrivateS3Options {
  /** `disk` keeps the objects over kill and start, at a few seconds more for each start; `memory` loses them. */
  readonly store?: CephSite['store']
}

export interface PrivateS3 extends PrivateEngine {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const USER = { name: 'test', accessKeyId: 'testaccess', secretAccessKey: 'testsecret' } satisfies S3User

/** A Ceph gateway with one user and no bucket yet. */
export async function startPrivateS3({ store = 'memory' }: PrivateS3Options = {}): Promise<PrivateS3> {
  const gateway = await reservePort()
  const monitor = await reservePort()
  const url = `http://127.0.0.1:${gateway.port}`
  const engine = preparePrivateEngine({
    name: 's3',
    url,
    answers: () => answersHttp(url),
    release() {
      gateway.release()
      monitor.release()
    },
    async launch({ folder, processes }) {
      const site: CephSite = { folder, monitorPort: monitor.port, gatewayPort: gateway.port, store }
      await launchCeph(site, (_daemon, command) => processes.launch(command))
      await createS3User(site, USER)
    },
  })
  await engine.start()
  return { ...engine, accessKeyId: USER.accessKeyId, secretAccessKey: USER.secretAccessKey }
}
