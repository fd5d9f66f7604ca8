import { Bullets, Button, ButtonLink, Buttons, navigate, Page, TearOff } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { Problem } from '../../shell/problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useAct } from '../../shell/use-act.ts'
import { useRead } from '../../shell/use-read.ts'
import { call } from '../../shell/worker-client.ts'
import { useWords } from '../../words/index.ts'

/** What follows stands first; the act is torn off. */
export default function EndConnection({ params }: PageProps): ReactNode {
  const { connections } = useWords()
  const words = connections.end
  const id = params['connection'] ?? ''
  const connection = useRead('readConnection', 'connections', id)
  const act = useAct()
  const end = async (): Promise<void> => {
    if (await act.run(() => call('endConnection', id))) navigate(href('sees'), { replace: true })
  }
  if (connection.state !== 'ready')
    return (
      <Page title={connections.connection.end}>
        <Shown of={connection}>{() => null}</Shown>
      </Page>
    )
  const { companyName } = connection.value
  const back = { href: href('connection', { connection: id }), label: companyName }
  return (
    <Page title={words.title(companyName)} back={back}>
      <TearOff
        title={words.whatFollows}
        act={
          <>
            <Problem failure={act.failure} />
            <Buttons isStacked>
              <Button look="danger" busy={act.isBusy ? words.busy : null} onClick={() => void end()}>
                {words.act}
              </Button>
              <ButtonLink href={back.href}>{words.keep}</ButtonLink>
            </Buttons>
          </>
        }
      >
        <Bullets items={words.follows(companyName)} />
      </TearOff>
    </Page>
  )
}
