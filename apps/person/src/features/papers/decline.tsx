import { navigate, Page } from '@sealpost/ui'
import { Shown, TearOffPage } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

/** No, with or without a reason. */
export default function DeclinePaper({ params }: PageProps): ReactNode {
  const { papers } = useWords()
  const words = papers.decline
  const [connection, id] = [params['connection'] ?? '', params['paper'] ?? '']
  const read = useRead('readPaper', 'papers', { connectionId: connection, id })
  if (read.state !== 'ready')
    return (
      <Page title={words.link}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const { name, party, line } = read.value
  const company = party?.companyName ?? papers.formerCompany
  const follows = words.follows(company)
  const back = { href: href('paper', { connection, paper: id }), label: name }
  return (
    <TearOffPage
      title={words.title(name)}
      back={back}
      whatFollows={words.whatFollows}
      follows={line === null ? follows : [...follows.slice(0, 1), words.followsInLine]}
      note={{ label: words.reason, hint: words.reasonHint(company) }}
      words={words}
      onAct={async (reason) => {
        await call('declinePaper', { connectionId: connection, id, reason })
        navigate(back.href, { replace: true })
      }}
    />
  )
}
