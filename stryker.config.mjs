/**
 * `npm run mutate`: changes the code that decides, one small change at a time, and names the changes that no test notices.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts' },
  // What decides: pure, and held to tables. Shells that await are held to simulation instead.
  mutate: [
    'src/**/decide*.ts',
    'src/**/checks*.ts',
    'src/**/phases*.ts',
    'src/base/{backoff,duration,json}.ts',
    'src/controllers/remediation/plan/{dry-run,plan-again,plan-from-analysis,request-approval-or-execute}.ts',
    'src/controllers/remediation/end/*.ts',
    'src/controllers/remediation/notifications/required-notifications.ts',
    'src/controllers/remediation/timeouts.ts',
    'src/controllers/remediation/verification/*.ts',
    'src/controllers/remediation/explain/*.ts',
    'src/controllers/remediation/routing/**/*.ts',
    'src/controllers/approval/{approval-verdict,override-plan}.ts',
    'src/controllers/effectiveness/{assess,expire,look,status,timing}.ts',
    'src/controllers/effectiveness/scorers/*.ts',
    'src/controllers/target/{config-map-hash,config-map-refs,fingerprint,spec-hash}.ts',
    'src/api/effectiveness-assessment/overall-score.ts',
    'src/monitoring/{alertmanager,ask,no-connection,prometheus,shared-answers,window}.ts',
    'src/controllers/execution/**/*.ts',
    'src/controllers/machine-remediation/power-cycle/{begin,call-off,command,cycle,leave,limits,out-of-service,set-back,standing,towards-on}.ts',
    'src/controllers/machine-remediation/power-cycle/unsuccessful.ts',
    'src/api/machine-health-check/{gate,normalise,safeguards,threshold-table}.ts',
    'src/controllers/machine-health/{claim,courses,external-request,hand-out,held-elsewhere,prognosis,reachability,read-check,renewal}.ts',
    'src/controllers/machine-health/{roll,statement,take-back,template-available,verdict,waking,whose-check}.ts',
    'src/controllers/machine-health/safeguards/*.ts',
    'src/controllers/machine-remediation/pipeline/{cordon,draft,objections,opening,status,stop}.ts',
    'src/controllers/machine-owner/{budget,drain,machine-state,make-machines,read-set,replace}.ts',
    'src/runtime/{catch-up,held-runs,lease,ready-keys,spaced-wakes,timetable,two-step-start,work-queue}.ts',
    '!src/**/*.test.ts',
    '!src/**/testing/**',
  ],
  // tsconfig.json too: Stryker would rewrite its paths through an interface that TypeScript 7 no longer has, and the tests do not need it.
  ignorePatterns: ['.stryker-*', '/tsconfig.json', '/reports', '/dist', '/coverage', '/deploy'],
  // On the score of all files together: below it the command ends with 1.
  thresholds: { high: 90, low: 85, break: 85 },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: 'reports/mutation/index.html' },
  jsonReporter: { fileName: 'reports/mutation/report.json' },
  tempDirName: '.stryker-tmp',
};
