import { Bullets, Button, ButtonLink, Buttons, navigate, Page, TearOff, TextArea } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { Problem } from '../../shell/problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useAct } from '../../shell/use-act.ts'
import { useRead } from '../../shell/use-read.ts'
import { call } from '../../shell/worker-client.ts'
import { useWords } from '../../words/index.ts'

/** No, with or without a reason. */
export default function DeclinePaper({ params }: PageProps): ReactNode {
  const { papers } = useWords()
  const words = papers.decline
  const [connection, id] = [params['connection'] ?? '', params['paper'] ?? '']
  const read = useRead('readPaper', 'papers', { connectionId: connection, id })
  const [reason, setReason] = useState('')
  const act = useAct()
  const to = href('paper', { connection, paper: id })
  const decline = async (): Promise<void> => {
    const isDone = await act.run(() => call('declinePaper', { connectionId: connection, id, reason: reason.trim() }))
    if (isDone) navigate(to, { replace: true })
  }
  if (read.state !== 'ready')
    return (
      <Page title={words.link}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const { name, party, line } = read.value
  const company = party?.companyName ?? papers.formerCompany
  const follows = line === null ? words.follows(company) : [...words.follows(company).slice(0, 1), words.followsInLine]
  return (
    <Page title={words.title(name)} back={{ href: to, label: name }}>
      <TearOff
        title={words.whatFollows}
        act={
          <>
            <TextArea
              label={words.reason}
              hint={words.reasonHint(company)}
              isOptional
              rows={3}
              value={reason}
              onValue={setReason}
            />
            <Problem failure={act.failure} />
            <Buttons isStacked>
              <Button look="danger" busy={act.isBusy ? words.busy : null} onClick={() => void decline()}>
                {words.act}
              </Button>
              <ButtonLink href={to}>{words.keep}</ButtonLink>
            </Buttons>
          </>
        }
      >
        <Bullets items={follows} />
      </TearOff>
    </Page>
  )
}
