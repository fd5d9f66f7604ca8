import { Button, ButtonLink, Notice, Page, Pending, Row, Rows, Section } from '@sealpost/ui'
import { Problem, saveFile, Shown } from '@sealpost/web-app'
import { FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { PaperContent, PaperView } from '../../worker/commands/papers.ts'
import { Decide } from './decide.tsx'
import { fileName } from './file-kind.ts'
import { FileShown } from './file-shown.tsx'
import { History } from './history.tsx'
import { privacyOf, stateSentence } from './paper-state.ts'
import { SealShown } from './seal-shown.tsx'
import { firstSight, type Sight } from './sight.ts'
import { useContent } from './use-content.ts'
import { useDates } from './use-dates.ts'
import { Written } from './written.tsx'
import classes from './paper.module.css'

/** One paper: what it says, who reads it, what the person decides, what happened. */
export default function Paper({ params }: PageProps): ReactNode {
  const words = useWords().papers
  const read = useRead('readPaper', 'papers', { connectionId: params['connection'] ?? '', id: params['paper'] ?? '' })
  const dates = useDates()
  const back = { href: href('papers'), label: words.title }
  if (read.state !== 'ready')
    return (
      <Page title={words.content} back={back}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const paper = read.value
  const company = paper.party?.companyName ?? words.formerCompany
  return (
    <Page
      title={paper.name}
      above={[company, words.kinds[paper.kind], ...privacyOf(words, paper)].join(' · ')}
      lead={stateSentence(words, dates, paper, company)}
      back={back}
    >
      <Parts paper={paper} company={company} />
    </Page>
  )
}

function Parts({ paper, company }: { readonly paper: PaperView; readonly company: string }): ReactNode {
  const words = useWords().papers
  const opened = useContent(paper)
  const [sight, setSight] = useState<Sight | null>(null)
  const [isSaved, setSaved] = useState(false)
  const [isDone, setDone] = useState<'signed' | 'accepted' | null>(null)
  return (
    <>
      {isDone === null ? null : <Notice what={words.done[isDone]} next={words.done.next} />}
      {paper.description === null ? null : <p className={classes.description}>{paper.description}</p>}
      <p className={classes.reader}>{readerOf(words, paper, company)}</p>
      <Terms paper={paper} />
      {opened.state === 'pending' ? <Pending>{isDone === null ? words.opening : words.arriving}</Pending> : null}
      {opened.state === 'failed' ? (
        <Problem failure={opened.failure} {...(opened.failure.kind === 'own' ? {} : { onAgain: opened.again })} />
      ) : null}
      {opened.state === 'ready' ? (
        <>
          <Body paper={paper} content={opened.content} onSight={setSight} onSaved={() => setSaved(true)} />
          <Decide
            paper={paper}
            content={opened.content}
            sight={sight ?? firstSight(opened.content)}
            isSaved={isSaved}
            onDone={setDone}
          />
        </>
      ) : null}
      <History paper={paper} company={company} />
      {paper.canCancel ? (
        <div>
          <ButtonLink look="danger" href={href('cancelPaper', { connection: paper.connectionId, paper: paper.id })}>
            {words.cancel.link}
          </ButtonLink>
        </div>
      ) : null}
    </>
  )
}

const WILL_BE_SEALED: ReadonlySet<PaperView['status']> = new Set(['waiting', 'ready_to_sign', 'offering'])

function readerOf({ readers }: ReturnType<typeof useWords>['papers'], paper: PaperView, company: string): string {
  if (paper.isBroadcast) return readers.all(company)
  if (paper.sealedAt !== null) return readers.signed
  if (paper.isMade) return readers.made
  return paper.isFile && WILL_BE_SEALED.has(paper.status) ? readers.toBeSealed(company) : readers.you(company)
}

function Terms({ paper: { terms } }: { readonly paper: PaperView }): ReactNode {
  const words = useWords().papers.terms
  const { day } = useDates()
  const rows = [
    [words.plan, terms.plan],
    [words.price, terms.price],
    [words.renews, terms.renews],
    [words.renewsOn, terms.renewsOn === null ? null : day(terms.renewsOn)],
    [words.validUntil, terms.validUntil === null ? null : day(terms.validUntil)],
  ].filter((row): row is [string, string] => row[1] !== null)
  if (rows.length === 0) return null
  return (
    <Section title={words.title}>
      <Rows label={words.title}>
        {rows.map(([label, value]) => (
          <Row key={label} name={value} about={label} />
        ))}
      </Rows>
    </Section>
  )
}

function Body({
  paper,
  content,
  onSight,
  onSaved,
}: {
  readonly paper: PaperView
  readonly content: PaperContent
  readonly onSight: (sight: Sight) => void
  readonly onSaved: () => void
}): ReactNode {
  const words = useWords().papers
  if (content.kind === 'json') return <Written value={content.value} />
  const name = fileName(content.name, paper.name, content.mimeType)
  return (
    <>
      {content.seal === null ? null : <SealShown seal={content.seal} />}
      <FileShown content={content} name={paper.name} onSight={onSight} />
      <div className={classes.save}>
        <Button
          icon={<FileDown size={20} aria-hidden />}
          // Never a type that the browser would open by itself.
          onClick={() => {
            saveFile(name, 'application/octet-stream', content.bytes)
            onSaved()
          }}
        >
          {words.save}
        </Button>
        <span className={classes.fileName}>{name}</span>
      </div>
    </>
  )
}
