// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, isStruct, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface FeatureFlagConfig extends cdktf.TerraformMetaArguments {
  /**
  * Whether the flag is evaluated. If it is off, nobody gets it.
  */
  readonly active?: boolean | cdktf.IResolvable;
  /**
  * Whether to adopt an existing live object that equals the configuration, instead of failing.
  */
  readonly adopt?: boolean | cdktf.IResolvable;
  /**
  * Rules that may not block this object: "approval_pending" (requesting a change again that already waits for approval in the service), "can_edit" (any change of a live flag and of its grants, while the service reports that this key may not edit it), "experiment" (deleting a flag or turning it off while an experiment runs on it), "feature" (deleting a flag or turning it off while it belongs to an early access feature), "rollback" (widening a flag that the service has turned off automatically), "soft_deleted" (renaming a flag to the key of a soft-deleted flag, which the service then destroys with its grants), "survey" (deleting a flag or turning it off while a survey uses it), "trail_unreadable" (giving a flag a key that a soft-deleted flag may have, which would be destroyed).
  */
  readonly allow?: ('approval_pending' | 'can_edit' | 'experiment' | 'feature' | 'rollback' | 'soft_deleted' | 'survey' | 'trail_unreadable')[];
  /**
  * Whether the flag is archived. An archived flag must be off, and lists do not show it. Default: false.
  */
  readonly archived?: boolean | cdktf.IResolvable;
  /**
  * What percentages count: people (`distinct_id`, the default) or devices. One of "distinct_id", "device_id".
  */
  readonly bucketingIdentifier?: 'distinct_id' | 'device_id' | cdktf.IResolvable;
  /**
  * Whether a person who matches a condition but is outside its percentage is excluded, whatever later conditions say. Needs a newer service. Do not combine it with `filters`.
  */
  readonly earlyExit?: boolean | cdktf.IResolvable;
  /**
  * Whether people keep their value when they log in.
  */
  readonly ensureExperienceContinuity?: boolean | cdktf.IResolvable;
  /**
  * Names of the parts of a product that get the flag. If empty, all parts get it.
  */
  readonly evaluationContexts?: string[];
  /**
  * Which SDKs get the flag. Default: `all`. One of "server", "client", "all".
  */
  readonly evaluationRuntime?: 'server' | 'client' | 'all' | cdktf.IResolvable;
  /**
  * The release conditions, variants and payloads. A request replaces all of them. JSON text; write it with `jsonencode(...)`. If you use `release`, `variants` or `payload`, this is null. It then contains only edits from the product that those attributes cannot express; to keep such edits, ignore changes of those attributes. `provider::vexil::filters(vexil_feature_flag.NAME)` returns the filters in both cases.
  */
  readonly filters?: string;
  /**
  * Releases to groups of this type (such as companies) instead of persons: 0 to 4. Do not combine it with `filters`.
  */
  readonly groupTypeIndex?: 0 | 1 | 2 | 3 | 4 | cdktf.IResolvable;
  /**
  * Whether the payload is encrypted; only a remote configuration supports this. Vexil then neither declares, compares nor shows the payload.
  */
  readonly hasEncryptedPayloads?: boolean | cdktf.IResolvable;
  /**
  * Whether code asks the flag only for its payload (a remote configuration).
  */
  readonly isRemoteConfiguration?: boolean | cdktf.IResolvable;
  /**
  * The key that code uses. Unique in a project, case-sensitive.
  */
  readonly key: string;
  /**
  * The description of the flag. The service keeps the field name for backwards compatibility.
  */
  readonly name?: string;
  /**
  * The payload of a flag without variants, as JSON text. Do not combine it with `filters`.
  */
  readonly payload?: string;
  /**
  * The project of the object. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * Who gets the flag: conditions in order. Do not combine it with `filters`. To let people change it in the product, ignore changes of this, `variants` and `payload`, but not of `filters`. If you remove the attribute, the service keeps the conditions.
  */
  readonly release?: FeatureFlagRelease[] | cdktf.IResolvable;
  /**
  * The conditions under which the service turns the flag off automatically. JSON text; write it with `jsonencode(...)`.
  */
  readonly rollbackConditions?: string;
  /**
  * Releases the flag to this percentage of everybody: `rollout_percentage = 25` is short for `release = [{ rollout_percentage = 25 }]`. Do not combine it with `release` or `filters`.
  */
  readonly rolloutPercentage?: number;
  /**
  * Tags. The service trims them and stores them in lower case.
  */
  readonly tags?: string[];
  /**
  * The variants. Their percentages add up to 100. Their order decides who gets which variant. Do not combine it with `filters`.
  */
  readonly variants?: FeatureFlagVariants[] | cdktf.IResolvable;
}
export interface FeatureFlagReleaseProperties {
  /**
  * The type of group; must equal that of the flag.
  */
  readonly groupTypeIndex?: 0 | 1 | 2 | 3 | 4 | cdktf.IResolvable;
  /**
  * The name of the property; `id` for a cohort; the key of the other flag for a flag (digits are its id).
  */
  readonly key: string;
  /**
  * Inverts the property.
  */
  readonly negation?: boolean | cdktf.IResolvable;
  /**
  * How the property is compared with the value. The default is `exact`. One of "exact", "is_not", "icontains", "not_icontains", "regex", "not_regex", "gt", "gte", "lt", "lte", "is_set", "is_not_set", "is_date_before", "is_date_after", "between", "not_between", "is_date_exact", "icontains_multi", "not_icontains_multi", "starts_with", "not_starts_with", "ends_with", "not_ends_with", "semver_eq", "semver_neq", "semver_gt", "semver_gte", "semver_lt", "semver_lte", "semver_tilde", "semver_caret", "semver_wildcard", "in", "not_in", "flag_evaluates_to", "min", "max".
  */
  readonly operator?: 'exact' | 'is_not' | 'icontains' | 'not_icontains' | 'regex' | 'not_regex' | 'gt' | 'gte' | 'lt' | 'lte' | 'is_set' | 'is_not_set' | 'is_date_before' | 'is_date_after' | 'between' | 'not_between' | 'is_date_exact' | 'icontains_multi' | 'not_icontains_multi' | 'starts_with' | 'not_starts_with' | 'ends_with' | 'not_ends_with' | 'semver_eq' | 'semver_neq' | 'semver_gt' | 'semver_gte' | 'semver_lt' | 'semver_lte' | 'semver_tilde' | 'semver_caret' | 'semver_wildcard' | 'in' | 'not_in' | 'flag_evaluates_to' | 'min' | 'max' | cdktf.IResolvable;
  /**
  * The owner of the property. One of "person", "cohort", "group", "flag". Default: "person".
  */
  readonly type?: 'person' | 'cohort' | 'group' | 'flag' | cdktf.IResolvable;
  /**
  * The value to compare with. If the type is "flag": `true` matches if that flag is on, `false` if it is off, and any other string matches the variant with that key. For a variant named "true" or "false", use `filters = jsonencode(...)`.
  */
  readonly value?: string;
  /**
  * Several values; one of them must match. Do not combine it with `value`.
  */
  readonly values?: string[];
}

export function featureFlagReleasePropertiesToTerraform(struct?: FeatureFlagReleaseProperties | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (!isStruct(struct, 'FeatureFlagReleaseProperties', ['groupTypeIndex', 'key', 'negation', 'operator', 'type', 'value', 'values'])) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    group_type_index: cdktf.numberToTerraform(struct!.groupTypeIndex),
    key: cdktf.stringToTerraform(struct!.key),
    negation: cdktf.booleanToTerraform(struct!.negation),
    operator: cdktf.stringToTerraform(struct!.operator),
    type: cdktf.stringToTerraform(struct!.type),
    value: cdktf.stringToTerraform(struct!.value),
    values: cdktf.listMapper(cdktf.stringToTerraform, false)(struct!.values),
  }
}


export function featureFlagReleasePropertiesToHclTerraform(struct?: FeatureFlagReleaseProperties | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (!isStruct(struct, 'FeatureFlagReleaseProperties', ['groupTypeIndex', 'key', 'negation', 'operator', 'type', 'value', 'values'])) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    group_type_index: {
      value: cdktf.numberToHclTerraform(struct!.groupTypeIndex),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    key: {
      value: cdktf.stringToHclTerraform(struct!.key),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    negation: {
      value: cdktf.booleanToHclTerraform(struct!.negation),
      isBlock: false,
      type: "simple",
      storageClassType: "boolean",
    },
    operator: {
      value: cdktf.stringToHclTerraform(struct!.operator),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    type: {
      value: cdktf.stringToHclTerraform(struct!.type),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    value: {
      value: cdktf.stringToHclTerraform(struct!.value),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    values: {
      value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(struct!.values),
      isBlock: false,
      type: "list",
      storageClassType: "stringList",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class FeatureFlagReleasePropertiesOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): FeatureFlagReleaseProperties | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._groupTypeIndex !== undefined) {
      hasAnyValues = true;
      internalValueResult.groupTypeIndex = this._groupTypeIndex;
    }
    if (this._key !== undefined) {
      hasAnyValues = true;
      internalValueResult.key = this._key;
    }
    if (this._negation !== undefined) {
      hasAnyValues = true;
      internalValueResult.negation = this._negation;
    }
    if (this._operator !== undefined) {
      hasAnyValues = true;
      internalValueResult.operator = this._operator;
    }
    if (this._type !== undefined) {
      hasAnyValues = true;
      internalValueResult.type = this._type;
    }
    if (this._value !== undefined) {
      hasAnyValues = true;
      internalValueResult.value = this._value;
    }
    if (this._values !== undefined) {
      hasAnyValues = true;
      internalValueResult.values = this._values;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: FeatureFlagReleaseProperties | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._groupTypeIndex = undefined;
      this._key = undefined;
      this._negation = undefined;
      this._operator = undefined;
      this._type = undefined;
      this._value = undefined;
      this._values = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._groupTypeIndex = value.groupTypeIndex;
      this._key = value.key;
      this._negation = value.negation;
      this._operator = value.operator;
      this._type = value.type;
      this._value = value.value;
      this._values = value.values;
    }
  }

  // group_type_index - computed: false, optional: true, required: false
  private _groupTypeIndex?: number | cdktf.IResolvable;
  public get groupTypeIndex(): 0 | 1 | 2 | 3 | 4 {
    return this.getNumberAttribute('group_type_index') as 0 | 1 | 2 | 3 | 4;
  }
  public set groupTypeIndex(value: number | cdktf.IResolvable) {
    this._groupTypeIndex = value;
  }
  public resetGroupTypeIndex() {
    this._groupTypeIndex = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get groupTypeIndexInput() {
    return this._groupTypeIndex;
  }

  // key - computed: false, optional: false, required: true
  private _key?: string;
  public get key() {
    return this.getStringAttribute('key');
  }
  public set key(value: string) {
    this._key = value;
  }
  // Temporarily expose input value. Use with caution.
  public get keyInput() {
    return this._key;
  }

  // negation - computed: false, optional: true, required: false
  private _negation?: boolean | cdktf.IResolvable;
  public get negation() {
    return this.getBooleanAttribute('negation');
  }
  public set negation(value: boolean | cdktf.IResolvable) {
    this._negation = value;
  }
  public resetNegation() {
    this._negation = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get negationInput() {
    return this._negation;
  }

  // operator - computed: false, optional: true, required: false
  private _operator?: string | cdktf.IResolvable;
  public get operator(): 'exact' | 'is_not' | 'icontains' | 'not_icontains' | 'regex' | 'not_regex' | 'gt' | 'gte' | 'lt' | 'lte' | 'is_set' | 'is_not_set' | 'is_date_before' | 'is_date_after' | 'between' | 'not_between' | 'is_date_exact' | 'icontains_multi' | 'not_icontains_multi' | 'starts_with' | 'not_starts_with' | 'ends_with' | 'not_ends_with' | 'semver_eq' | 'semver_neq' | 'semver_gt' | 'semver_gte' | 'semver_lt' | 'semver_lte' | 'semver_tilde' | 'semver_caret' | 'semver_wildcard' | 'in' | 'not_in' | 'flag_evaluates_to' | 'min' | 'max' {
    return this.getStringAttribute('operator') as 'exact' | 'is_not' | 'icontains' | 'not_icontains' | 'regex' | 'not_regex' | 'gt' | 'gte' | 'lt' | 'lte' | 'is_set' | 'is_not_set' | 'is_date_before' | 'is_date_after' | 'between' | 'not_between' | 'is_date_exact' | 'icontains_multi' | 'not_icontains_multi' | 'starts_with' | 'not_starts_with' | 'ends_with' | 'not_ends_with' | 'semver_eq' | 'semver_neq' | 'semver_gt' | 'semver_gte' | 'semver_lt' | 'semver_lte' | 'semver_tilde' | 'semver_caret' | 'semver_wildcard' | 'in' | 'not_in' | 'flag_evaluates_to' | 'min' | 'max';
  }
  public set operator(value: string | cdktf.IResolvable) {
    this._operator = value;
  }
  public resetOperator() {
    this._operator = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get operatorInput() {
    return this._operator;
  }

  // type - computed: false, optional: true, required: false
  private _type?: string | cdktf.IResolvable;
  public get type(): 'person' | 'cohort' | 'group' | 'flag' {
    return this.getStringAttribute('type') as 'person' | 'cohort' | 'group' | 'flag';
  }
  public set type(value: string | cdktf.IResolvable) {
    this._type = value;
  }
  public resetType() {
    this._type = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get typeInput() {
    return this._type;
  }

  // value - computed: false, optional: true, required: false
  private _value?: string;
  public get value() {
    return this.getStringAttribute('value');
  }
  public set value(value: string) {
    this._value = value;
  }
  public resetValue() {
    this._value = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get valueInput() {
    return this._value;
  }

  // values - computed: false, optional: true, required: false
  private _values?: string[];
  public get values() {
    return this.getListAttribute('values');
  }
  public set values(value: string[]) {
    this._values = value;
  }
  public resetValues() {
    this._values = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get valuesInput() {
    return this._values;
  }
}

export class FeatureFlagReleasePropertiesList extends cdktf.ComplexList {
  public internalValue? : FeatureFlagReleaseProperties[] | cdktf.IResolvable

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): FeatureFlagReleasePropertiesOutputReference {
    return new FeatureFlagReleasePropertiesOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
export interface FeatureFlagRelease {
  /**
  * A note for people.
  */
  readonly description?: string;
  /**
  * The type of group that this condition counts, if it differs from that of the flag. Needs a newer service.
  */
  readonly groupTypeIndex?: 0 | 1 | 2 | 3 | 4 | cdktf.IResolvable;
  /**
  * Requirements for a person: all must match. Without properties, everybody matches.
  */
  readonly properties?: FeatureFlagReleaseProperties[] | cdktf.IResolvable;
  /**
  * The share of matching people who get the flag: 0 to 100. The default is 100.
  */
  readonly rolloutPercentage?: number;
  /**
  * The variant that everybody in this condition gets. Services before September 2025 try such conditions first, so write them first.
  */
  readonly variant?: string;
}

export function featureFlagReleaseToTerraform(struct?: FeatureFlagRelease | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (!isStruct(struct, 'FeatureFlagRelease', ['description', 'groupTypeIndex', 'properties', 'rolloutPercentage', 'variant'])) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    description: cdktf.stringToTerraform(struct!.description),
    group_type_index: cdktf.numberToTerraform(struct!.groupTypeIndex),
    properties: cdktf.listMapper(featureFlagReleasePropertiesToTerraform, false)(struct!.properties),
    rollout_percentage: cdktf.numberToTerraform(struct!.rolloutPercentage),
    variant: cdktf.stringToTerraform(struct!.variant),
  }
}


export function featureFlagReleaseToHclTerraform(struct?: FeatureFlagRelease | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (!isStruct(struct, 'FeatureFlagRelease', ['description', 'groupTypeIndex', 'properties', 'rolloutPercentage', 'variant'])) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    description: {
      value: cdktf.stringToHclTerraform(struct!.description),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    group_type_index: {
      value: cdktf.numberToHclTerraform(struct!.groupTypeIndex),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    properties: {
      value: cdktf.listMapperHcl(featureFlagReleasePropertiesToHclTerraform, false)(struct!.properties),
      isBlock: true,
      type: "list",
      storageClassType: "FeatureFlagReleasePropertiesList",
    },
    rollout_percentage: {
      value: cdktf.numberToHclTerraform(struct!.rolloutPercentage),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    variant: {
      value: cdktf.stringToHclTerraform(struct!.variant),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class FeatureFlagReleaseOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): FeatureFlagRelease | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._description !== undefined) {
      hasAnyValues = true;
      internalValueResult.description = this._description;
    }
    if (this._groupTypeIndex !== undefined) {
      hasAnyValues = true;
      internalValueResult.groupTypeIndex = this._groupTypeIndex;
    }
    if (this._properties?.internalValue !== undefined) {
      hasAnyValues = true;
      internalValueResult.properties = this._properties?.internalValue;
    }
    if (this._rolloutPercentage !== undefined) {
      hasAnyValues = true;
      internalValueResult.rolloutPercentage = this._rolloutPercentage;
    }
    if (this._variant !== undefined) {
      hasAnyValues = true;
      internalValueResult.variant = this._variant;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: FeatureFlagRelease | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._description = undefined;
      this._groupTypeIndex = undefined;
      this._properties.internalValue = undefined;
      this._rolloutPercentage = undefined;
      this._variant = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._description = value.description;
      this._groupTypeIndex = value.groupTypeIndex;
      this._properties.internalValue = value.properties;
      this._rolloutPercentage = value.rolloutPercentage;
      this._variant = value.variant;
    }
  }

  // description - computed: false, optional: true, required: false
  private _description?: string;
  public get description() {
    return this.getStringAttribute('description');
  }
  public set description(value: string) {
    this._description = value;
  }
  public resetDescription() {
    this._description = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get descriptionInput() {
    return this._description;
  }

  // group_type_index - computed: false, optional: true, required: false
  private _groupTypeIndex?: number | cdktf.IResolvable;
  public get groupTypeIndex(): 0 | 1 | 2 | 3 | 4 {
    return this.getNumberAttribute('group_type_index') as 0 | 1 | 2 | 3 | 4;
  }
  public set groupTypeIndex(value: number | cdktf.IResolvable) {
    this._groupTypeIndex = value;
  }
  public resetGroupTypeIndex() {
    this._groupTypeIndex = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get groupTypeIndexInput() {
    return this._groupTypeIndex;
  }

  // properties - computed: false, optional: true, required: false
  private _properties = new FeatureFlagReleasePropertiesList(this, "properties", false);
  public get properties() {
    return this._properties;
  }
  public putProperties(value: FeatureFlagReleaseProperties[] | cdktf.IResolvable) {
    this._properties.internalValue = value;
  }
  public resetProperties() {
    this._properties.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get propertiesInput() {
    return this._properties.internalValue;
  }

  // rollout_percentage - computed: false, optional: true, required: false
  private _rolloutPercentage?: number;
  public get rolloutPercentage() {
    return this.getNumberAttribute('rollout_percentage');
  }
  public set rolloutPercentage(value: number) {
    this._rolloutPercentage = value;
  }
  public resetRolloutPercentage() {
    this._rolloutPercentage = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get rolloutPercentageInput() {
    return this._rolloutPercentage;
  }

  // variant - computed: false, optional: true, required: false
  private _variant?: string;
  public get variant() {
    return this.getStringAttribute('variant');
  }
  public set variant(value: string) {
    this._variant = value;
  }
  public resetVariant() {
    this._variant = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get variantInput() {
    return this._variant;
  }
}

export class FeatureFlagReleaseList extends cdktf.ComplexList {
  public internalValue? : FeatureFlagRelease[] | cdktf.IResolvable

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): FeatureFlagReleaseOutputReference {
    return new FeatureFlagReleaseOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
export interface FeatureFlagVariants {
  /**
  * The value that code receives.
  */
  readonly key: string;
  /**
  * The name of the variant for people.
  */
  readonly name?: string;
  /**
  * The payload that code receives with this variant, as JSON text.
  */
  readonly payload?: string;
  /**
  * The share of the people with the flag who get this variant: 0 to 100.
  */
  readonly rolloutPercentage: number;
}

export function featureFlagVariantsToTerraform(struct?: FeatureFlagVariants | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (!isStruct(struct, 'FeatureFlagVariants', ['key', 'name', 'payload', 'rolloutPercentage'])) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    key: cdktf.stringToTerraform(struct!.key),
    name: cdktf.stringToTerraform(struct!.name),
    payload: cdktf.stringToTerraform(struct!.payload),
    rollout_percentage: cdktf.numberToTerraform(struct!.rolloutPercentage),
  }
}


export function featureFlagVariantsToHclTerraform(struct?: FeatureFlagVariants | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (!isStruct(struct, 'FeatureFlagVariants', ['key', 'name', 'payload', 'rolloutPercentage'])) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    key: {
      value: cdktf.stringToHclTerraform(struct!.key),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    name: {
      value: cdktf.stringToHclTerraform(struct!.name),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    payload: {
      value: cdktf.stringToHclTerraform(struct!.payload),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    rollout_percentage: {
      value: cdktf.numberToHclTerraform(struct!.rolloutPercentage),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class FeatureFlagVariantsOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): FeatureFlagVariants | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._key !== undefined) {
      hasAnyValues = true;
      internalValueResult.key = this._key;
    }
    if (this._name !== undefined) {
      hasAnyValues = true;
      internalValueResult.name = this._name;
    }
    if (this._payload !== undefined) {
      hasAnyValues = true;
      internalValueResult.payload = this._payload;
    }
    if (this._rolloutPercentage !== undefined) {
      hasAnyValues = true;
      internalValueResult.rolloutPercentage = this._rolloutPercentage;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: FeatureFlagVariants | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._key = undefined;
      this._name = undefined;
      this._payload = undefined;
      this._rolloutPercentage = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._key = value.key;
      this._name = value.name;
      this._payload = value.payload;
      this._rolloutPercentage = value.rolloutPercentage;
    }
  }

  // key - computed: false, optional: false, required: true
  private _key?: string;
  public get key() {
    return this.getStringAttribute('key');
  }
  public set key(value: string) {
    this._key = value;
  }
  // Temporarily expose input value. Use with caution.
  public get keyInput() {
    return this._key;
  }

  // name - computed: false, optional: true, required: false
  private _name?: string;
  public get name() {
    return this.getStringAttribute('name');
  }
  public set name(value: string) {
    this._name = value;
  }
  public resetName() {
    this._name = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get nameInput() {
    return this._name;
  }

  // payload - computed: false, optional: true, required: false
  private _payload?: string;
  public get payload() {
    return this.getStringAttribute('payload');
  }
  public set payload(value: string) {
    this._payload = value;
  }
  public resetPayload() {
    this._payload = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get payloadInput() {
    return this._payload;
  }

  // rollout_percentage - computed: false, optional: false, required: true
  private _rolloutPercentage?: number;
  public get rolloutPercentage() {
    return this.getNumberAttribute('rollout_percentage');
  }
  public set rolloutPercentage(value: number) {
    this._rolloutPercentage = value;
  }
  // Temporarily expose input value. Use with caution.
  public get rolloutPercentageInput() {
    return this._rolloutPercentage;
  }
}

export class FeatureFlagVariantsList extends cdktf.ComplexList {
  public internalValue? : FeatureFlagVariants[] | cdktf.IResolvable

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): FeatureFlagVariantsOutputReference {
    return new FeatureFlagVariantsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* `vexil_feature_flag`, described in examples/terraform/docs/resources/feature_flag.md
*/
export class FeatureFlag extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_feature_flag";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a FeatureFlag resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the FeatureFlag to import
  * @param importFromId The id of the existing FeatureFlag that should be imported. See examples/terraform/docs/resources/feature_flag.md for the id to use
  * @param provider? Optional instance of the provider where the FeatureFlag to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_feature_flag", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_feature_flag`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options FeatureFlagConfig
  */
  public constructor(scope: Construct, id: string, config: FeatureFlagConfig) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_feature_flag',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._active = config.active;
    this._adopt = config.adopt;
    this._allow = config.allow;
    this._archived = config.archived;
    this._bucketingIdentifier = config.bucketingIdentifier;
    this._earlyExit = config.earlyExit;
    this._ensureExperienceContinuity = config.ensureExperienceContinuity;
    this._evaluationContexts = config.evaluationContexts;
    this._evaluationRuntime = config.evaluationRuntime;
    this._filters = config.filters;
    this._groupTypeIndex = config.groupTypeIndex;
    this._hasEncryptedPayloads = config.hasEncryptedPayloads;
    this._isRemoteConfiguration = config.isRemoteConfiguration;
    this._key = config.key;
    this._name = config.name;
    this._payload = config.payload;
    this._projectId = config.projectId;
    this._release.internalValue = config.release;
    this._rollbackConditions = config.rollbackConditions;
    this._rolloutPercentage = config.rolloutPercentage;
    this._tags = config.tags;
    this._variants.internalValue = config.variants;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // active - computed: true, optional: true, required: false
  private _active?: boolean | cdktf.IResolvable;
  public get active() {
    return this.getBooleanAttribute('active');
  }
  public set active(value: boolean | cdktf.IResolvable) {
    this._active = value;
  }
  public resetActive() {
    this._active = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get activeInput() {
    return this._active;
  }

  // adopt - computed: false, optional: true, required: false
  private _adopt?: boolean | cdktf.IResolvable;
  public get adopt() {
    return this.getBooleanAttribute('adopt');
  }
  public set adopt(value: boolean | cdktf.IResolvable) {
    this._adopt = value;
  }
  public resetAdopt() {
    this._adopt = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get adoptInput() {
    return this._adopt;
  }

  // allow - computed: false, optional: true, required: false
  private _allow?: string[];
  public get allow() {
    return cdktf.Fn.tolist(this.getListAttribute('allow'));
  }
  public set allow(value: string[]) {
    this._allow = value;
  }
  public resetAllow() {
    this._allow = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowInput() {
    return this._allow;
  }

  // archived - computed: true, optional: true, required: false
  private _archived?: boolean | cdktf.IResolvable;
  public get archived() {
    return this.getBooleanAttribute('archived');
  }
  public set archived(value: boolean | cdktf.IResolvable) {
    this._archived = value;
  }
  public resetArchived() {
    this._archived = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get archivedInput() {
    return this._archived;
  }

  // bucketing_identifier - computed: true, optional: true, required: false
  private _bucketingIdentifier?: string | cdktf.IResolvable;
  public get bucketingIdentifier(): 'distinct_id' | 'device_id' {
    return this.getStringAttribute('bucketing_identifier') as 'distinct_id' | 'device_id';
  }
  public set bucketingIdentifier(value: string | cdktf.IResolvable) {
    this._bucketingIdentifier = value;
  }
  public resetBucketingIdentifier() {
    this._bucketingIdentifier = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get bucketingIdentifierInput() {
    return this._bucketingIdentifier;
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // deleted - computed: true, optional: false, required: false
  public get deleted() {
    return this.getBooleanAttribute('deleted');
  }

  // early_exit - computed: false, optional: true, required: false
  private _earlyExit?: boolean | cdktf.IResolvable;
  public get earlyExit() {
    return this.getBooleanAttribute('early_exit');
  }
  public set earlyExit(value: boolean | cdktf.IResolvable) {
    this._earlyExit = value;
  }
  public resetEarlyExit() {
    this._earlyExit = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get earlyExitInput() {
    return this._earlyExit;
  }

  // ensure_experience_continuity - computed: true, optional: true, required: false
  private _ensureExperienceContinuity?: boolean | cdktf.IResolvable;
  public get ensureExperienceContinuity() {
    return this.getBooleanAttribute('ensure_experience_continuity');
  }
  public set ensureExperienceContinuity(value: boolean | cdktf.IResolvable) {
    this._ensureExperienceContinuity = value;
  }
  public resetEnsureExperienceContinuity() {
    this._ensureExperienceContinuity = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get ensureExperienceContinuityInput() {
    return this._ensureExperienceContinuity;
  }

  // evaluation_contexts - computed: true, optional: true, required: false
  private _evaluationContexts?: string[];
  public get evaluationContexts() {
    return cdktf.Fn.tolist(this.getListAttribute('evaluation_contexts'));
  }
  public set evaluationContexts(value: string[]) {
    this._evaluationContexts = value;
  }
  public resetEvaluationContexts() {
    this._evaluationContexts = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get evaluationContextsInput() {
    return this._evaluationContexts;
  }

  // evaluation_runtime - computed: true, optional: true, required: false
  private _evaluationRuntime?: string | cdktf.IResolvable;
  public get evaluationRuntime(): 'server' | 'client' | 'all' {
    return this.getStringAttribute('evaluation_runtime') as 'server' | 'client' | 'all';
  }
  public set evaluationRuntime(value: string | cdktf.IResolvable) {
    this._evaluationRuntime = value;
  }
  public resetEvaluationRuntime() {
    this._evaluationRuntime = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get evaluationRuntimeInput() {
    return this._evaluationRuntime;
  }

  // filters - computed: true, optional: true, required: false
  private _filters?: string;
  public get filters() {
    return this.getStringAttribute('filters');
  }
  public set filters(value: string) {
    this._filters = value;
  }
  public resetFilters() {
    this._filters = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get filtersInput() {
    return this._filters;
  }

  // group_type_index - computed: false, optional: true, required: false
  private _groupTypeIndex?: number | cdktf.IResolvable;
  public get groupTypeIndex(): 0 | 1 | 2 | 3 | 4 {
    return this.getNumberAttribute('group_type_index') as 0 | 1 | 2 | 3 | 4;
  }
  public set groupTypeIndex(value: number | cdktf.IResolvable) {
    this._groupTypeIndex = value;
  }
  public resetGroupTypeIndex() {
    this._groupTypeIndex = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get groupTypeIndexInput() {
    return this._groupTypeIndex;
  }

  // has_encrypted_payloads - computed: true, optional: true, required: false
  private _hasEncryptedPayloads?: boolean | cdktf.IResolvable;
  public get hasEncryptedPayloads() {
    return this.getBooleanAttribute('has_encrypted_payloads');
  }
  public set hasEncryptedPayloads(value: boolean | cdktf.IResolvable) {
    this._hasEncryptedPayloads = value;
  }
  public resetHasEncryptedPayloads() {
    this._hasEncryptedPayloads = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get hasEncryptedPayloadsInput() {
    return this._hasEncryptedPayloads;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_remote_configuration - computed: true, optional: true, required: false
  private _isRemoteConfiguration?: boolean | cdktf.IResolvable;
  public get isRemoteConfiguration() {
    return this.getBooleanAttribute('is_remote_configuration');
  }
  public set isRemoteConfiguration(value: boolean | cdktf.IResolvable) {
    this._isRemoteConfiguration = value;
  }
  public resetIsRemoteConfiguration() {
    this._isRemoteConfiguration = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get isRemoteConfigurationInput() {
    return this._isRemoteConfiguration;
  }

  // key - computed: false, optional: false, required: true
  private _key?: string;
  public get key() {
    return this.getStringAttribute('key');
  }
  public set key(value: string) {
    this._key = value;
  }
  // Temporarily expose input value. Use with caution.
  public get keyInput() {
    return this._key;
  }

  // name - computed: true, optional: true, required: false
  private _name?: string;
  public get name() {
    return this.getStringAttribute('name');
  }
  public set name(value: string) {
    this._name = value;
  }
  public resetName() {
    this._name = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get nameInput() {
    return this._name;
  }

  // payload - computed: false, optional: true, required: false
  private _payload?: string;
  public get payload() {
    return this.getStringAttribute('payload');
  }
  public set payload(value: string) {
    this._payload = value;
  }
  public resetPayload() {
    this._payload = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get payloadInput() {
    return this._payload;
  }

  // project_id - computed: true, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // release - computed: false, optional: true, required: false
  private _release = new FeatureFlagReleaseList(this, "release", false);
  public get release() {
    return this._release;
  }
  public putRelease(value: FeatureFlagRelease[] | cdktf.IResolvable) {
    this._release.internalValue = value;
  }
  public resetRelease() {
    this._release.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get releaseInput() {
    return this._release.internalValue;
  }

  // rollback_conditions - computed: true, optional: true, required: false
  private _rollbackConditions?: string;
  public get rollbackConditions() {
    return this.getStringAttribute('rollback_conditions');
  }
  public set rollbackConditions(value: string) {
    this._rollbackConditions = value;
  }
  public resetRollbackConditions() {
    this._rollbackConditions = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get rollbackConditionsInput() {
    return this._rollbackConditions;
  }

  // rollout_percentage - computed: false, optional: true, required: false
  private _rolloutPercentage?: number;
  public get rolloutPercentage() {
    return this.getNumberAttribute('rollout_percentage');
  }
  public set rolloutPercentage(value: number) {
    this._rolloutPercentage = value;
  }
  public resetRolloutPercentage() {
    this._rolloutPercentage = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get rolloutPercentageInput() {
    return this._rolloutPercentage;
  }

  // tags - computed: true, optional: true, required: false
  private _tags?: string[];
  public get tags() {
    return cdktf.Fn.tolist(this.getListAttribute('tags'));
  }
  public set tags(value: string[]) {
    this._tags = value;
  }
  public resetTags() {
    this._tags = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get tagsInput() {
    return this._tags;
  }

  // tags_all - computed: true, optional: false, required: false
  public get tagsAll() {
    return cdktf.Fn.tolist(this.getListAttribute('tags_all'));
  }

  // variants - computed: false, optional: true, required: false
  private _variants = new FeatureFlagVariantsList(this, "variants", false);
  public get variants() {
    return this._variants;
  }
  public putVariants(value: FeatureFlagVariants[] | cdktf.IResolvable) {
    this._variants.internalValue = value;
  }
  public resetVariants() {
    this._variants.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get variantsInput() {
    return this._variants.internalValue;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      active: cdktf.booleanToTerraform(this._active),
      adopt: cdktf.booleanToTerraform(this._adopt),
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      archived: cdktf.booleanToTerraform(this._archived),
      bucketing_identifier: cdktf.stringToTerraform(this._bucketingIdentifier),
      early_exit: cdktf.booleanToTerraform(this._earlyExit),
      ensure_experience_continuity: cdktf.booleanToTerraform(this._ensureExperienceContinuity),
      evaluation_contexts: cdktf.listMapper(cdktf.stringToTerraform, false)(this._evaluationContexts),
      evaluation_runtime: cdktf.stringToTerraform(this._evaluationRuntime),
      filters: cdktf.stringToTerraform(this._filters),
      group_type_index: cdktf.numberToTerraform(this._groupTypeIndex),
      has_encrypted_payloads: cdktf.booleanToTerraform(this._hasEncryptedPayloads),
      is_remote_configuration: cdktf.booleanToTerraform(this._isRemoteConfiguration),
      key: cdktf.stringToTerraform(this._key),
      name: cdktf.stringToTerraform(this._name),
      payload: cdktf.stringToTerraform(this._payload),
      project_id: cdktf.stringToTerraform(this._projectId),
      release: cdktf.listMapper(featureFlagReleaseToTerraform, false)(this._release.internalValue),
      rollback_conditions: cdktf.stringToTerraform(this._rollbackConditions),
      rollout_percentage: cdktf.numberToTerraform(this._rolloutPercentage),
      tags: cdktf.listMapper(cdktf.stringToTerraform, false)(this._tags),
      variants: cdktf.listMapper(featureFlagVariantsToTerraform, false)(this._variants.internalValue),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      active: {
        value: cdktf.booleanToHclTerraform(this._active),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      adopt: {
        value: cdktf.booleanToHclTerraform(this._adopt),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      archived: {
        value: cdktf.booleanToHclTerraform(this._archived),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      bucketing_identifier: {
        value: cdktf.stringToHclTerraform(this._bucketingIdentifier),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      early_exit: {
        value: cdktf.booleanToHclTerraform(this._earlyExit),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      ensure_experience_continuity: {
        value: cdktf.booleanToHclTerraform(this._ensureExperienceContinuity),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      evaluation_contexts: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._evaluationContexts),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      evaluation_runtime: {
        value: cdktf.stringToHclTerraform(this._evaluationRuntime),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      filters: {
        value: cdktf.stringToHclTerraform(this._filters),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      group_type_index: {
        value: cdktf.numberToHclTerraform(this._groupTypeIndex),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      has_encrypted_payloads: {
        value: cdktf.booleanToHclTerraform(this._hasEncryptedPayloads),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      is_remote_configuration: {
        value: cdktf.booleanToHclTerraform(this._isRemoteConfiguration),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      key: {
        value: cdktf.stringToHclTerraform(this._key),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      name: {
        value: cdktf.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      payload: {
        value: cdktf.stringToHclTerraform(this._payload),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      release: {
        value: cdktf.listMapperHcl(featureFlagReleaseToHclTerraform, false)(this._release.internalValue),
        isBlock: true,
        type: "list",
        storageClassType: "FeatureFlagReleaseList",
      },
      rollback_conditions: {
        value: cdktf.stringToHclTerraform(this._rollbackConditions),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      rollout_percentage: {
        value: cdktf.numberToHclTerraform(this._rolloutPercentage),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      tags: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._tags),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      variants: {
        value: cdktf.listMapperHcl(featureFlagVariantsToHclTerraform, false)(this._variants.internalValue),
        isBlock: true,
        type: "list",
        storageClassType: "FeatureFlagVariantsList",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
