import { navigate, Page } from '@sealpost/ui'
import { Shown, TearOffPage } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

/** What a company loses stands first. */
export default function EndConnection({ params }: PageProps): ReactNode {
  const { connections } = useWords()
  const words = connections.end
  const id = params['connection'] ?? ''
  const connection = useRead('readConnection', 'connections', id)
  if (connection.state !== 'ready')
    return (
      <Page title={connections.connection.end}>
        <Shown of={connection}>{() => null}</Shown>
      </Page>
    )
  const { companyName } = connection.value
  return (
    <TearOffPage
      title={words.title(companyName)}
      back={{ href: href('connection', { connection: id }), label: companyName }}
      whatFollows={words.whatFollows}
      follows={words.follows(companyName)}
      words={words}
      onAct={async () => {
        await call('endConnection', id)
        navigate(href('sees'), { replace: true })
      }}
    />
  )
}
