import { Button, SearchField, Tag, TextField } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { Plug } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { BlockDrafts, BlockView, PluginView } from '../../worker/commands/turns.ts'
import { missingBefore, withBlock } from './draft.ts'
import { type AnswerProps, ProblemLine } from './question-parts.tsx'
import classes from './flows.module.css'

interface PluginQuestionProps extends AnswerProps {
  readonly plugin: PluginView
}

/** A question that a server of the company's choice answers: it offers options, and computes from what is picked. */
export function PluginQuestion({ plugin, filling, answer, onAnswer, problems }: PluginQuestionProps): ReactNode {
  const { plugin: words, optional } = useWords().flows
  const filled = answer?.kind === 'plugin' ? answer.blocks : {}
  useAsking(plugin, filling)
  const fill = (key: string, value: BlockDrafts[string] | null): void =>
    onAnswer({ kind: 'plugin', blocks: withBlock(plugin.blocks, filled, key, value) })
  const isUsable = !['inputs_missing', 'key_changed'].includes(plugin.state) && plugin.blocks.length > 0
  return (
    <section
      className={classes.plugin}
      aria-label={plugin.label}
      data-invalid={problems[''] === undefined ? undefined : ''}
    >
      <header>
        <p className={classes.label}>
          {plugin.label} {plugin.isRequired ? null : <span className={classes.optional}>{optional}</span>}
        </p>
        {plugin.host === '' ? null : (
          <Tag icon={<Plug size={14} aria-hidden />}>{words.by(plugin.pluginName, plugin.host)}</Tag>
        )}
      </header>
      {isUsable
        ? plugin.blocks.map((block) => (
            <Block
              key={block.key}
              block={block}
              plugin={plugin}
              filled={filled}
              runId={filling.view.runId}
              onFill={fill}
            />
          ))
        : null}
      <State plugin={plugin} />
      {plugin.newKey === null ? null : <NewKey plugin={plugin} change={plugin.newKey} filling={filling} />}
      <ProblemLine problem={plugin.state === 'picks_invalid' ? undefined : problems['']} />
    </section>
  )
}

/** After a moment of quiet: every letter of an input would be a call. */
const QUIET_MS = 400

function useAsking({ state, slug }: PluginView, { view, draft, take, isEvaluated }: AnswerProps['filling']): void {
  const isDue = state === 'to_ask' && isEvaluated
  const { runId } = view
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => {
      void call('askPlugin', { runId, slug }).then(
        (answered) => take(answered, draft),
        () => undefined,
      )
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [isDue, runId, slug, draft, take])
}

function Block({
  block,
  plugin,
  filled,
  runId,
  onFill,
}: {
  readonly block: BlockView
  readonly plugin: PluginView
  readonly filled: BlockDrafts
  readonly runId: string
  readonly onFill: (key: string, value: BlockDrafts[string] | null) => void
}): ReactNode {
  const { plugin: words } = useWords().flows
  const { key, kind, label } = block
  const value = filled[key]
  if (kind !== 'search_select')
    return (
      <TextField
        label={label}
        {...(kind === 'date' ? { type: 'date' } : kind === 'number' ? { inputMode: 'decimal' } : {})}
        autoComplete="off"
        value={typeof value === 'string' ? value : ''}
        onValue={(text) => onFill(key, text)}
        problem={plugin.hasInvalidBlock && kind === 'number' ? words.notANumber : undefined}
      />
    )
  const missing = missingBefore(block, filled).map(
    (needed) => plugin.blocks.find((one) => one.key === needed)?.label ?? needed,
  )
  return (
    <SearchField
      label={label}
      hint={missing.length === 0 ? undefined : words.first(missing.join(', '))}
      isDisabled={missing.length > 0}
      picked={typeof value === 'object' ? value : null}
      onPick={(option) => onFill(key, option)}
      search={(query) => call('listPluginOptions', { runId, slug: plugin.slug, block: key, query })}
    />
  )
}

function State({ plugin }: { readonly plugin: PluginView }): ReactNode {
  const { plugin: words } = useWords().flows
  switch (plugin.state) {
    case 'open':
    case 'key_changed':
      return null
    case 'to_ask':
      return (
        <p className={classes.hint} role="status">
          {words.asking(plugin.pluginName)}
        </p>
      )
    case 'answered':
      return <Outputs plugin={plugin} />
    case 'picks_invalid':
      return <ProblemLine problem={words.picksInvalid} />
    case 'inputs_missing':
      return (
        <ul className={classes.hint}>
          {plugin.missingInputs.map(({ label, reason }) => (
            <li key={label}>{words.inputs[reason](label)}</li>
          ))}
        </ul>
      )
    case 'failed':
      return plugin.failure === null ? <ProblemLine problem={words.silent} /> : <Problem failure={plugin.failure} />
  }
}

/** Nothing is sealed to the new key until the person has compared it. */
function NewKey({
  plugin: { slug, pluginName, host },
  change: { known, received },
  filling: { view, draft, take },
}: {
  readonly plugin: PluginView
  readonly change: NonNullable<PluginView['newKey']>
  readonly filling: AnswerProps['filling']
}): ReactNode {
  const { newKey: words } = useWords().flows.plugin
  const act = useAct()
  const confirm = async (): Promise<void> =>
    take(await call('confirmPluginKey', { runId: view.runId, slug, fingerprint: received }), draft)
  return (
    <div className={classes.group} role="group" aria-label={words.title}>
      <p className={classes.hint}>{words.about(pluginName, host)}</p>
      <dl className={classes.outputs}>
        <div>
          <dt>{words.known}</dt>
          <dd>{inGroups(known)}</dd>
        </div>
        <div>
          <dt>{words.received}</dt>
          <dd>{inGroups(received)}</dd>
        </div>
      </dl>
      <Button look="plain" busy={act.isBusy ? words.confirming : null} onClick={() => void act.run(confirm)}>
        {words.confirm}
      </Button>
      {act.failure === null ? null : <Problem failure={act.failure} />}
    </div>
  )
}

/** Four digits at a time, which eyes can compare. */
function inGroups(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(' ') ?? fingerprint
}

function Outputs({ plugin: { outputs } }: { readonly plugin: PluginView }): ReactNode {
  if (outputs.length === 0) return null
  return (
    <dl className={classes.outputs} aria-live="polite">
      {outputs.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
