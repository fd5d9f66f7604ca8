import { navigate, Page } from '@sealpost/ui'
import { nowMs, Shown, TearOffPage } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { endOfNotice } from './end-of-notice.ts'
import { useDates } from './use-dates.ts'

/** When the contract would end stands first. */
export default function CancelPaper({ params }: PageProps): ReactNode {
  const { papers } = useWords()
  const words = papers.cancel
  const { day } = useDates()
  const [connection, id] = [params['connection'] ?? '', params['paper'] ?? '']
  const read = useRead('readPaper', 'papers', { connectionId: connection, id })
  if (read.state !== 'ready')
    return (
      <Page title={words.link}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const { name, party, noticeDays } = read.value
  const company = party?.companyName ?? papers.formerCompany
  const end = noticeDays === 0 ? words.endsNow : words.endsOn(day(endOfNotice(nowMs(), noticeDays)))
  const back = { href: href('paper', { connection, paper: id }), label: name }
  return (
    <TearOffPage
      title={words.title(name)}
      back={back}
      whatFollows={words.whatFollows}
      follows={[end, words.stays]}
      note={{ label: words.note, hint: words.noteHint(company) }}
      words={words}
      onAct={async (note) => {
        await call('cancelPaper', { connectionId: connection, id, note })
        navigate(back.href, { replace: true })
      }}
    />
  )
}
