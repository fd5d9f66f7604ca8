import { navigate, Page } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { Shown } from '../../shell/shown.tsx'
import { TearOffPage } from '../../shell/tear-off-page.tsx'
import { useRead } from '../../shell/use-read.ts'
import { call } from '../../shell/worker-client.ts'
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
