import { Bullets, Button, ButtonLink, Buttons, navigate, Page, TearOff, TextArea } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { nowMs } from '../../shell/clock.ts'
import { Problem } from '../../shell/problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useAct } from '../../shell/use-act.ts'
import { useRead } from '../../shell/use-read.ts'
import { call } from '../../shell/worker-client.ts'
import { useWords } from '../../words/index.ts'
import { endOfNotice } from './end-of-notice.ts'
import { useDates } from './use-dates.ts'

/** When it would end stands first; the act is torn off. */
export default function CancelPaper({ params }: PageProps): ReactNode {
  const { papers } = useWords()
  const words = papers.cancel
  const { day } = useDates()
  const [connection, id] = [params['connection'] ?? '', params['paper'] ?? '']
  const read = useRead('readPaper', 'papers', { connectionId: connection, id })
  const [note, setNote] = useState('')
  const act = useAct()
  const to = href('paper', { connection, paper: id })
  const cancel = async (): Promise<void> => {
    const isDone = await act.run(() => call('cancelPaper', { connectionId: connection, id, note: note.trim() }))
    if (isDone) navigate(to, { replace: true })
  }
  if (read.state !== 'ready')
    return (
      <Page title={words.link}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const { name, party, noticeDays } = read.value
  const company = party?.companyName ?? papers.formerCompany
  const end = noticeDays === 0 ? words.endsNow : words.endsOn(day(endOfNotice(nowMs(), noticeDays)))
  return (
    <Page title={words.title(name)} back={{ href: to, label: name }}>
      <TearOff
        title={words.whatFollows}
        act={
          <>
            <TextArea
              label={words.note}
              hint={words.noteHint(company)}
              isOptional
              rows={3}
              value={note}
              onValue={setNote}
            />
            <Problem failure={act.failure} />
            <Buttons isStacked>
              <Button look="danger" busy={act.isBusy ? words.busy : null} onClick={() => void cancel()}>
                {words.act}
              </Button>
              <ButtonLink href={to}>{words.keep}</ButtonLink>
            </Buttons>
          </>
        }
      >
        <Bullets items={[end, words.stays]} />
      </TearOff>
    </Page>
  )
}
