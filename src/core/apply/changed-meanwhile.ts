/** What is said of an object that is not the one any more that a plan was made on. */
export const changedMeanwhile = 'it was changed after the plan was made'
