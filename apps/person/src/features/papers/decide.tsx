import { useOpenSession, useProof } from '@sealpost/session'
import { Button, ButtonLink, Buttons, Form, Notice, Pending, Quiet, TearOff } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { PaperContent, PaperView } from '../../worker/commands/papers.ts'
import { mayDecide, type Sight } from './sight.ts'

export interface DecideProps {
  readonly paper: PaperView
  /** What is shown above: the decision is about exactly this. */
  readonly content: PaperContent
  readonly sight: Sight
  /** The person has saved the file, to look at it elsewhere. */
  readonly isSaved: boolean
  readonly onDone: (act: 'signed' | 'accepted') => void
}

/** The place of the signature; nothing where nothing is asked. */
export function Decide(props: DecideProps): ReactNode {
  if (props.paper.status === 'ready_to_sign') return <Sign {...props} />
  return props.paper.status === 'offering' ? <Accept {...props} /> : null
}

function Sign({ paper, content, sight, isSaved, onDone }: DecideProps): ReactNode {
  const words = useWords().papers.sign
  const pages = sight.state === 'shown' ? sight.pages : null
  const { displayName } = useOpenSession()
  const proof = useProof()
  const act = useAct()
  const sign = async (): Promise<void> => {
    const { connectionId, id } = paper
    const contentSha256 = content.contentSha256 ?? ''
    const isSigned = await act.run(async () => {
      const by = await proof.prove(contentSha256)
      await call('signPaper', { connectionId, id, contentSha256, proof: by })
    })
    proof.clear()
    if (isSigned) onDone('signed')
  }
  return (
    <TearOff
      title={words.title}
      act={
        <Form onSend={sign}>
          {proof.field}
          <NotYet sight={sight} isSaved={isSaved} />
          <Problem failure={act.failure} />
          <Buttons isStacked>
            {proof.canProve ? (
              <Button
                type="submit"
                look="main"
                icon={proof.isByPasskey ? <Fingerprint size={20} aria-hidden /> : null}
                disabled={!mayDecide(sight, isSaved)}
                busy={act.isBusy ? words.busy : null}
              >
                {words.act}
              </Button>
            ) : null}
            <DeclineLink paper={paper} />
          </Buttons>
        </Form>
      }
    >
      {mayDecide(sight, isSaved) ? (
        <p>
          {sight.state === 'unshown'
            ? words.whatSaved(displayName)
            : words.what(pages === null ? '' : words.pages(pages), displayName)}
        </p>
      ) : null}
      {paper.isFile ? <Quiet>{words.seen}</Quiet> : null}
    </TearOff>
  )
}

function Accept({ paper, content, sight, isSaved, onDone }: DecideProps): ReactNode {
  const { accept: words, sign } = useWords().papers
  const act = useAct()
  const accept = async (): Promise<void> => {
    const { connectionId, id } = paper
    const isAccepted = await act.run(() =>
      call('acceptPaper', { connectionId, id, contentSha256: content.contentSha256 ?? '' }),
    )
    if (isAccepted) onDone('accepted')
  }
  return (
    <TearOff
      title={words.title}
      act={
        <>
          <NotYet sight={sight} isSaved={isSaved} />
          <Problem failure={act.failure} />
          <Buttons isStacked>
            <Button
              look="main"
              disabled={!mayDecide(sight, isSaved)}
              busy={act.isBusy ? words.busy : null}
              onClick={() => void accept()}
            >
              {words.act}
            </Button>
            <DeclineLink paper={paper} />
          </Buttons>
        </>
      }
    >
      {mayDecide(sight, isSaved) ? <p>{sight.state === 'unshown' ? words.whatSaved : words.what}</p> : null}
      {paper.isFile ? <Quiet>{sign.seen}</Quiet> : null}
    </TearOff>
  )
}

/** Why the act sleeps. */
function NotYet({ sight, isSaved }: Pick<DecideProps, 'sight' | 'isSaved'>): ReactNode {
  const words = useWords().papers
  if (mayDecide(sight, isSaved)) return null
  if (sight.state === 'opening') return <Pending>{words.decide.opening}</Pending>
  return <Notice kind="wait" what={words.decide.unshown} next={words.decide.unshownNext} />
}

function DeclineLink({ paper }: Pick<DecideProps, 'paper'>): ReactNode {
  const words = useWords().papers.decline
  return (
    <ButtonLink href={href('declinePaper', { connection: paper.connectionId, paper: paper.id })}>
      {words.link}
    </ButtonLink>
  )
}
