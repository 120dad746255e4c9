/**
 * The exit code by which a workflow reports that a precondition is not met and that it changed nothing: a failure before execution (ruling
 * 118). With any other code except 0 it may have changed its target.
 */
export const PRECONDITION_NOT_MET = 3;
