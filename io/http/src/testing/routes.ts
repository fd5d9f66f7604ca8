import { refuse } from '@sealpost/protocol'
import { answer } from '../answer.ts'
import { bindRoute } from '../bind-route.ts'
import type { Gates } from '../gates.ts'
import type { HttpServer } from '../http-server.ts'
import { StreamAnswer } from '../stream-answer.ts'
import * as operations from './operations.ts'
import type { Script } from './script.ts'

export const THING = '01890a5d-ac96-774b-bcce-b302099a8057'
export const OTHERS_THING = '01890a5d-ac96-774b-bcce-b302099a9999'

export function bindTestRoutes<Caller>(server: HttpServer, gates: Gates<Caller>, script: Script): void {
  bindThings(server, gates, script)
  bindOthers(server, gates, script)
}

function bindThings<Caller>(server: HttpServer, gates: Gates<Caller>, script: Script): void {
  const locate = ({ params }: { readonly params: { readonly id: string } }): { readonly id: string } => {
    script.asked.push('locate')
    if (params.id !== THING) throw refuse('services.not_found')
    return { id: params.id }
  }
  const handle = ({ located }: { readonly located: { readonly id: string } }): Promise<ReturnType<typeof thing>> =>
    run(script, () => thing(located.id))
  bindRoute(server, gates, { operation: operations.readThing, locate, handle })
  bindRoute(server, gates, { operation: operations.cancelThing, locate, handle })
  bindRoute(server, gates, { operation: operations.deleteThing, locate, handle: () => run(script, () => undefined) })
  bindRoute(server, gates, {
    operation: operations.changeThing,
    locate,
    handle: ({ located, body }) =>
      run(script, () => answer({ ...thing(located.id), name: body.name }, { headers: { etag: '"1"' } })),
  })
  bindRoute(server, gates, {
    operation: operations.listThings,
    handle: ({ query }) => run(script, () => ({ total: Number(query.limit ?? 1), items: [thing(THING)] })),
  })
  bindRoute(server, gates, {
    operation: operations.createThing,
    handle: ({ body }) =>
      run(script, () => {
        script.created.push(body.name)
        const warnings = body.name === 'odd' ? ['things.odd; the name is odd'] : []
        return answer({ id: `${script.created.length}`, client_secret: 'planted-secret' }, { warnings })
      }),
  })
}

function bindOthers<Caller>(server: HttpServer, gates: Gates<Caller>, script: Script): void {
  bindRoute(server, gates, {
    operation: operations.drainChanges,
    handle: () =>
      run(script, () => answer({ changes: ['a'] }, { onClosed: (delivered) => void script.closed.push(delivered) })),
  })
  bindRoute(server, gates, {
    operation: operations.readFile,
    handle: ({ params }) => run(script, () => Buffer.from(params.sourceKey)),
  })
  bindRoute(server, gates, {
    operation: operations.readTagged,
    handle: () => run(script, () => answer(['a', 'b'], { headers: { etag: '"v1"', 'cache-control': 'max-age=300' } })),
  })
  bindRoute(server, gates, {
    operation: operations.readEvents,
    handle: () =>
      run(
        script,
        () =>
          new StreamAnswer((stream) => {
            script.streams.push(stream)
            return { onDrain() {}, onClosed: () => void script.closed.push(true) }
          }),
      ),
  })
  bindRoute(server, gates, { operation: operations.readOpen, handle: () => run(script, () => ({ status: 'ok' })) })
  bindRoute(server, gates, {
    operation: operations.readResult,
    handle: ({ body }) => run(script, () => ({ code: body.state })),
  })
}

function thing(id: string) {
  return { id, name: 'thing', count: 1, note: null, values: { 'a:b': '<&>' }, undeclared: 'leak' }
}

async function run<T>(script: Script, make: () => T): Promise<T> {
  script.asked.push('handle')
  await script.before()
  return make()
}
