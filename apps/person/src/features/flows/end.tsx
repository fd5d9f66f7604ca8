import { navigate } from '@sealpost/ui'
import { TearOffPage } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

/** Before a form is ended for everybody. */
export default function EndFlow({ params }: PageProps): ReactNode {
  const { end: words, run: label } = useWords().flows
  const name = { connectionId: params['connection'] ?? '', runId: params['run'] ?? '' }
  const back = { href: href('flow', { connection: name.connectionId, run: name.runId }), label }
  return (
    <TearOffPage
      title={words.title}
      back={back}
      whatFollows={words.whatFollows}
      follows={words.follows}
      note={{ label: words.reason, hint: words.reasonHint }}
      words={words}
      onAct={async (reason) => {
        await call('cancelRun', { ...name, reason })
        navigate(back.href, { replace: true })
      }}
    />
  )
}
