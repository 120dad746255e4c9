import { diagnoseObject, parseNamedObject, type Diagnosed, type WouldDo } from '../../actions/index.ts';
import { silent, systemClock } from '../../base/index.ts';
import { settingsFor } from '../process/settings-for.ts';
import { packagedWorkflows } from '../rehearsal/packaged-workflows.ts';
import type { DiagnoseFlags } from './diagnose-command.ts';
import { withKubeconfig } from './with-kubeconfig.ts';

/** Diagnoses with the identity of the user's kubeconfig. */
export async function diagnoseAs(words: readonly string[], flags: DiagnoseFlags, signal: AbortSignal): Promise<Diagnosed> {
  const { alert, severity, config, sickbayNamespace } = flags;
  // Before the cluster is reached: a typing error is the quickest to report.
  parseNamedObject(words, '');
  const settings = { ...(await settingsFor({ config }, silent)).settings(), namespace: sickbayNamespace };
  const packaged = await packagedWorkflows(settings);
  return withKubeconfig(flags, (client, namespace) => {
    const object = parseNamedObject(words, flags.namespace ?? namespace ?? 'default');
    const about = { object, severity, ...(alert !== undefined && { alert }) };
    return diagnoseObject({ client, clock: systemClock, settings, signal, packaged, ...about });
  });
}

const EXIT_CODES: Readonly<Record<WouldDo, number>> = { Nothing: 0, RunWorkflow: 2, AskForApproval: 2, HandOver: 2, NotKnownYet: 3 };

/** The code of `--exit-code`. */
export const diagnosisExitCode = ({ would }: Diagnosed): number => EXIT_CODES[would];
